"""Whether a game counts for ratings: decided when it begins, and final.

It does if its table asked for it and is public, with rules that a host can pick at once, and if two
accounts or more count: not guests, and nobody who plays from the same address as another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, F, Q

from games.contract import catalogue
from games.models import Club, Game, RatedSeat, Rating, Seat, TableSettings
from games.play.ratings import maths
from games.store.versioned_lru import VersionedLRU

# Games that two people have had within this time are many or few.
COUNTED_FOR: Final = timedelta(days=30)

_rated: VersionedLRU[bool] = VersionedLRU(most=2_000)  # by code; it never changes while in play


def may_be_rated(settings: TableSettings) -> bool:
    """Whether games at a table with these settings can count for ratings."""
    part = catalogue.of(settings.kind_key).ratings
    return (
        part is not None
        and settings.visibility == Game.Visibility.PUBLIC
        and settings.standing_id is None
        and not settings.show_odds
        and (settings.preset, dict(settings.options)) in [(p, dict(o)) for p, o in part.RULES]
    )


def may_be_rated_at(game: Game) -> bool:
    """Whether this table asked for ratings and can have them; a game that has begun: has them."""
    if not game.rated:
        return False
    is_open = game.status == Game.Status.OPEN
    return may_be_rated(TableSettings.of(game)) if is_open else is_rated(game)


def is_rated(game: Game) -> bool:
    """Whether a game that has begun counts for ratings, as was decided when it began."""
    if not game.rated:
        return False
    known = _rated.get(game.code)
    if known is None:
        counts = RatedSeat.objects.filter(game=game).exclude(left_out=RatedSeat.LeftOut.ANNULLED)
        known = (game.pk, counts.exists())
        _rated.keep(game.code, *known)
    return known[1]


def freeze(game: Game, seats: Sequence[Seat], *, now: datetime) -> None:
    """Write who counts in a game that begins, in the transaction that starts it.

    `seats` are by number, with their people. Without these rows the game is not rated.
    """
    if not game.rated or not may_be_rated(TableSettings.of(game)):
        return
    part = catalogue.of(game.kind_key).ratings
    assert part is not None  # noqa: S101
    if len({len(side) for side in part.sides(len(seats), game.options)}) > 1:
        return  # somebody without a partner
    accounts = [seat for seat in seats if seat.user is not None and not seat.user.is_guest]
    at_home = {seat.pk for seat in sharing_a_home(accounts)} | _before(game, accounts)
    counted = [seat for seat in accounts if seat.pk not in at_home]
    if len(counted) < 2:
        return
    ratings = _ratings(game.kind_key, accounts)
    weights = _weights([ratings[seat.user_id or 0] for seat in counted], now=now)
    RatedSeat.objects.bulk_create(
        RatedSeat(
            seat=seat,
            game=game,
            rating=(rating := ratings[seat.user_id or 0]),
            left_out=RatedSeat.LeftOut.HOME if seat.pk in at_home else RatedSeat.LeftOut.NO,
            weight=weights.get(rating.pk, 0.0),
            people=len(counted),
        )
        for seat in accounts
    )


def sharing_a_home(seats: Collection[Seat]) -> list[Seat]:
    """Return those of these seats at an open table whose address another of them has too.

    The addresses of clubs are shared by people who have nothing to do with each other.
    """
    shared = [home for home, times in Counter(seat.home for seat in seats).items() if times > 1]
    homes = {home for home in shared if home}
    if homes:
        homes -= set(Club.objects.filter(home__in=homes).values_list("home", flat=True))
    return [seat for seat in seats if seat.home in homes]


def is_left_out(game: Game, number: int | None) -> bool:
    """Whether the person at this seat of an open table will not be rated, by their address."""
    if number is None or not may_be_rated_at(game):
        return False
    seats = list(game.seat_set.filter(user__is_guest=False))
    return any(seat.number == number for seat in sharing_a_home(seats))


def is_taken(game: Game, home: str) -> bool:
    """Whether somebody at an open rated table plays from this address, which is no club's."""
    if game.status != Game.Status.OPEN or not home or not may_be_rated_at(game):
        return False
    here = game.seat_set.filter(user__is_guest=False, home=home)
    return here.exists() and not Club.objects.filter(home=home).exists()


def _before(game: Game, accounts: Sequence[Seat]) -> set[int]:
    """Return the seats of people who shared a home in the game before this rematch.

    At a rematch people are seated without a request of theirs, so their address is unknown.
    """
    old = RatedSeat.objects.filter(
        game__rematch=game, left_out=RatedSeat.LeftOut.HOME, rating__user__in=_people(accounts)
    )
    found = set(old.values_list("rating__user", flat=True))
    return {seat.pk for seat in accounts if seat.user_id in found}


def _people(seats: Sequence[Seat]) -> list[int]:
    return [seat.user_id for seat in seats if seat.user_id is not None]


def _ratings(kind_key: str, accounts: Sequence[Seat]) -> dict[int, Rating]:
    """Return the ratings of these people by user; who has none gets that of a newcomer."""
    people = _people(accounts)
    theirs = Rating.objects.filter(kind_key=kind_key, user__in=people)
    found = {each.user_id: each for each in theirs}
    missing = [user for user in people if user not in found]
    if missing:
        Rating.objects.bulk_create(
            [newcomer(kind_key, user) for user in sorted(missing)], ignore_conflicts=True
        )
        found = {each.user_id: each for each in theirs.all()}
    return found


def newcomer(kind_key: str, user_id: int) -> Rating:
    """Return the unsaved rating of somebody without rated games."""
    part = catalogue.of(kind_key).ratings
    assert part is not None  # noqa: S101
    known = maths.newcomer(part.SCALE)
    return Rating(
        user_id=user_id,
        kind_key=kind_key,
        mu=known.mu,
        sigma=known.sigma,
        lower=maths.lower(known),
    )


def _weights(ratings: Sequence[Rating], *, now: datetime) -> dict[int, float]:
    """Return the weight of a game that begins now for each of these people, by rating.

    It is the mean of what the others make it count (`maths.counts`). With three people or more, how
    few games somebody has had with others does not matter.
    """
    keys = [each.pk for each in ratings]
    parts = RatedSeat.objects.filter(
        rating__in=keys, left_out=RatedSeat.LeftOut.NO, number__isnull=False
    )
    lately, alone = Q(at__gt=now - COUNTED_FOR), Q(people=2)
    together = (
        parts.filter(game__ratedseat__rating__in=keys)
        .values("rating", other=F("game__ratedseat__rating"))
        .annotate(lately=Count("pk", filter=lately), alone=Count("pk", filter=alone))
        .order_by()
        .values_list("rating", "other", "lately", "alone")
    )
    met = {(one, other): (lately, alone) for one, other, lately, alone in together}
    weights = {}
    for mine in ratings:
        made = []
        for other in ratings:
            if other != mine:
                times, alone_times = met.get((mine.pk, other.pk), (0, 0))
                apart = other.games - alone_times if len(ratings) == 2 else maths.TRUSTED_AFTER
                made.append(maths.counts(times, apart))
        weights[mine.pk] = sum(made) / len(made)
    return weights
