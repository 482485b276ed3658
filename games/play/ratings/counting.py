"""Counting a finished game for the ratings of its people, once and in order."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef

from games.contract import catalogue
from games.contract.rating_scale import RatingScale
from games.models import Game, RatedSeat, Rating, RatingCorrection, Seat
from games.play.jobs import failing_alone
from games.play.ratings import maths
from games.play.ratings.maths import Entry, Prospects, Strength

# A game whose end could not be counted in its own transaction is counted after this time.
MADE_UP_AFTER: Final = timedelta(seconds=10)
# Ranks of people who left are larger than every place of a table.
_LEFT: Final = 100
COLUMNS: Final = ("mu", "sigma", "lower", "games", "number", "last_at")
PART_COLUMNS: Final = (
    *("number", "at", "place", "places", "expected", "chance"),
    *("mu_before", "sigma_before", "mu", "sigma"),
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Counted:
    """What a game says of one person: their place among the sides, and what is known after it."""

    place: int
    places: int
    prospects: Prospects
    after: Strength


# --- the end of a game ----------------------------------------------------------------------------


def count_at_the_end(game: Game, seats: Sequence[Seat], *, now: datetime) -> None:
    """Count a game in the transaction that ends it. If this fails, `make_up` does it later."""
    if not game.rated:
        return
    try:
        with transaction.atomic():
            count(game, seats, now=now)
    except DatabaseError as error:
        logger.warning("rating postponed game=%s error=%s", game.code, type(error).__name__)
    except Exception:
        logger.exception("rating failed game=%s", game.code)


def count(game: Game, seats: Sequence[Seat], *, now: datetime) -> None:
    """Count a finished game, unless it has been or its ratings are being corrected.

    It locks the ratings of its people in the order of the users, until the transaction ends. The
    caller has locked the game.
    """
    correction = RatingCorrection.objects.filter(kind_key=OuterRef("rating__kind_key"))
    parts = list(
        RatedSeat.objects.filter(game=game, number=None, left_out=RatedSeat.LeftOut.NO)
        .exclude(Exists(correction))
        .select_related("rating")
        .select_for_update(of=("rating",))
        .order_by("rating__user_id")
    )
    if parts:
        note(game, seats, parts, number=1 + max(each.rating.number for each in parts), at=now)
        Rating.objects.bulk_update([each.rating for each in parts], COLUMNS)
        RatedSeat.objects.bulk_update(parts, PART_COLUMNS)


def note(
    game: Game, seats: Sequence[Seat], parts: Sequence[RatedSeat], *, number: int, at: datetime
) -> None:
    """Set what follows from a game in its parts and their ratings, without saving them."""
    seated = {seat.pk: seat for seat in seats}
    strengths = {
        seated[part.seat_id].number: Strength(part.rating.mu, part.rating.sigma) for part in parts
    }
    weights = {seated[part.seat_id].number: part.weight for part in parts}
    counted = reckon(game, seats, strengths, weights)
    for part in parts:
        rating, found = part.rating, counted[seated[part.seat_id].number]
        part.number, part.at = number, at
        part.place, part.places = found.place, found.places
        part.expected, part.chance = found.prospects.place, found.prospects.winning
        part.mu_before, part.sigma_before = rating.mu, rating.sigma
        part.mu, part.sigma = found.after.mu, found.after.sigma
        rating.games += 1
        take(rating, part)


def take(rating: Rating, part: RatedSeat) -> None:
    """Set the rating to what is known after the game of this part."""
    assert part.mu is not None and part.sigma is not None and part.number is not None  # noqa: S101
    rating.mu, rating.sigma = part.mu, part.sigma
    rating.lower = maths.lower(Strength(part.mu, part.sigma))
    rating.number, rating.last_at = part.number, part.at


# --- what a game says -----------------------------------------------------------------------------


def reckon(
    game: Game,
    seats: Sequence[Seat],
    strengths: Mapping[int, Strength],
    weights: Mapping[int, float],
) -> dict[int, Counted]:
    """Return what a finished game says of the people in `strengths`, by seat number.

    Bots count as constants. Others are left out; in a team, the stand-in bot is in their place, and
    a guest's is that of a newcomer. Who left comes last, and the rest of their side shares its
    result without them.
    """
    kind = catalogue.of(game.kind_key)
    assert kind.ratings is not None  # noqa: S101
    scale = kind.ratings.SCALE
    sides = kind.ratings.sides(len(seats), game.options)
    in_teams = len(sides) < len(seats)
    side_of = {number: at for at, side in enumerate(sides) for number in side}
    entries: dict[int, Entry] = {}
    for seat in seats:
        if seat.number in strengths and not (in_teams and seat.left):
            strength = strengths[seat.number]
        elif seat.bot or (in_teams and seat.left):
            strength = maths.bot(scale, seat.bot or kind.stand_in)
        elif in_teams:
            strength = maths.newcomer(scale)
        else:
            continue
        rank = seat.place or 0
        if seat.left and not in_teams:
            rank = _LEFT + len(seats) - _order_of_leaving(seats).index(seat.number)
        weight = weights.get(seat.number, 1.0)
        entries[seat.number] = Entry(strength, rank, side_of[seat.number], weight)
    table = len(seats), len(sides)
    found = _counted(scale, table, entries)
    for seat in seats:
        if in_teams and seat.left and seat.number in strengths:
            last = {
                number: Entry(
                    strengths[number] if number == seat.number else each.strength,
                    _LEFT if each.side == side_of[seat.number] else each.rank,
                    each.side,
                    weights.get(number, 1.0),
                )
                for number, each in entries.items()
            }
            found[seat.number] = _counted(scale, table, last)[seat.number]
    return found


def _counted(
    scale: RatingScale, table: tuple[int, int], entries: Mapping[int, Entry]
) -> dict[int, Counted]:
    ranks: dict[int, int] = {}
    for each in entries.values():
        ranks[each.side] = min(each.rank, ranks.get(each.side, each.rank))
    listed = list(entries.values())
    expected = maths.prospects(scale, *table, listed)
    after = maths.after(scale, *table, listed)
    return {
        number: Counted(
            place=1 + sum(rank < ranks[entry.side] for rank in ranks.values()),
            places=len(ranks),
            prospects=before,
            after=then,
        )
        for number, entry, before, then in zip(entries, listed, expected, after, strict=True)
    }


def _order_of_leaving(seats: Sequence[Seat]) -> list[int]:
    """Return the numbers of the seats of people who left, the first of them first."""
    left = [seat for seat in seats if seat.left]
    return [
        seat.number for seat in sorted(left, key=lambda seat: (seat.away_seq or 0, -seat.number))
    ]


# --- what time brings -----------------------------------------------------------------------------


def make_up(*, now: datetime) -> None:
    """Count games whose end could not be counted, and forget those that were closed."""
    waiting = RatedSeat.objects.filter(number=None, left_out=RatedSeat.LeftOut.NO)
    RatedSeat.objects.filter(
        game__in=waiting.filter(game__status=Game.Status.CLOSED).values("game")
    ).delete()
    ended = waiting.filter(
        game__status=Game.Status.FINISHED, game__finished_at__lt=now - MADE_UP_AFTER
    )
    for pk in ended.order_by("game__finished_at").values_list("game", flat=True).distinct()[:100]:
        with failing_alone(logger, "rating failed game=%d", pk), transaction.atomic():
            game = Game.objects.select_for_update().get(pk=pk)
            count(game, list(game.seat_set.order_by("number")), now=game.finished_at or now)
