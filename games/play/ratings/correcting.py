"""Counting rated games again: after staff annulled some, or all of them by a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import Final

from django.db import transaction
from django.db.models import Count, Max, Min, QuerySet

from games.models import Game, RatedSeat, Rating, RatingCorrection
from games.play.ratings import counting, verdict

_AT_ONCE: Final = 100  # games read or written in one query
_COMPARED: Final = ("mu", "sigma", "games", "number")


def annul(parts: QuerySet[RatedSeat], *, now: datetime) -> int:
    """Take these parts of rated games back, for good; returns how many. `run` does the rest.

    In the caller's transaction.
    """
    chosen = parts.exclude(left_out=RatedSeat.LeftOut.ANNULLED)
    games = list(chosen.values_list("game", flat=True).distinct())
    first = chosen.values("rating__kind_key").annotate(number=Min("number")).order_by()
    for kind_key, number in list(first.values_list("rating__kind_key", "number")):
        if number is not None:
            ask(kind_key, number, now=now)
    annulled = chosen.update(left_out=RatedSeat.LeftOut.ANNULLED)
    counting = RatedSeat.objects.filter(game__in=games, left_out=RatedSeat.LeftOut.NO)
    alone = counting.values("game").annotate(left=Count("pk")).filter(left=1).order_by()
    counting.filter(game__in=list(alone.values_list("game", flat=True))).update(
        left_out=RatedSeat.LeftOut.ANNULLED
    )
    return annulled


def ask(kind_key: str, number: int, *, now: datetime) -> None:
    """Have the ratings of a game counted again from this number on."""
    correction, _ = RatingCorrection.objects.get_or_create(
        kind_key=kind_key, defaults={"number": number, "asked_at": now}
    )
    if correction.number > number:
        RatingCorrection.objects.filter(kind_key=kind_key, number__gt=number).update(number=number)


def run(now: datetime, share: float) -> bool:
    """Make the oldest correction that staff asked for, as a job; returns whether one is left."""
    correction = RatingCorrection.objects.order_by("asked_at").first()
    if correction is None:
        return False
    for _ in correct(correction.kind_key):
        pass
    return RatingCorrection.objects.exists()


def correct(kind_key: str) -> Iterator[int]:
    """Count games again as the correction of this game asks; yields 1 for each.

    Nothing changes for readers until a rating is written, with its latest game. It may stop
    anywhere: as long as the correction is there, it is done again from its number on.
    """
    asked = RatingCorrection.objects.filter(kind_key=kind_key)
    while (correction := asked.first()) is not None:
        with transaction.atomic():  # whoever still counts a game has locked some of these
            mine = Rating.objects.select_for_update().filter(kind_key=kind_key)
            numbers = mine.order_by("user").values_list("number", flat=True)
            last = max(numbers, default=0)
        ratings = _before(kind_key, correction.number)
        changed: list[RatedSeat] = []
        for parts in counted_again(kind_key, ratings, since=correction.number):
            changed += parts
            if len(changed) > _AT_ONCE:
                _write(changed)
                changed = []
            yield 1
        _write(changed)
        with transaction.atomic():
            Rating.objects.bulk_update(ratings.values(), counting.COLUMNS, batch_size=_AT_ONCE)
            # Another is asked for, or a game was counted that had begun to be before.
            late = RatedSeat.objects.filter(rating__kind_key=kind_key, number__gt=last)
            if not late.exists():
                asked.filter(number=correction.number, asked_at=correction.asked_at).delete()


def counted_again(
    kind_key: str, ratings: dict[int, Rating], *, since: int
) -> Iterator[list[RatedSeat]]:
    """Count the games from the number `since` on again, in order, without saving anything.

    `ratings`, by key, are those before these games, and change with them. Yields the parts of each.
    """
    rows = (
        RatedSeat.objects.filter(rating__kind_key=kind_key, number__gte=since)
        .order_by("number", "game", "seat")
        .iterator(chunk_size=_AT_ONCE)
    )
    by_game = groupby(rows, key=lambda part: (part.number or 0, part.game_id))
    while some := [(key, list(parts)) for key, parts in islice(by_game, _AT_ONCE)]:
        games = Game.objects.prefetch_related("seat_set").in_bulk([key[1] for key, _ in some])
        for (number, game_id), parts in some:
            game = games[game_id]
            counts = [part for part in parts if not part.left_out]
            for part in counts:
                part.rating = ratings[part.rating_id]
            if counts:
                seats = sorted(game.seat_set.all(), key=lambda seat: seat.number)
                at = counts[0].at
                assert at is not None  # noqa: S101
                counting.note(game, seats, counts, number=number, at=at)
            yield counts


def differences(kind_key: str) -> Iterator[Rating | None]:
    """Count all games again, and yield each rating that is stored otherwise; None for each game."""
    ratings = _before(kind_key, 0)
    for _ in counted_again(kind_key, ratings, since=0):
        yield None
    for stored in Rating.objects.filter(kind_key=kind_key).iterator():
        again = ratings[stored.pk]
        if any(abs(getattr(again, name) - getattr(stored, name)) > 1e-6 for name in _COMPARED):
            yield stored


def games_since(kind_key: str, number: int) -> int:
    """Return how many rated games there are from this number on."""
    parts = RatedSeat.objects.filter(rating__kind_key=kind_key, number__gte=number)
    return parts.values("game").distinct().count()


def _before(kind_key: str, number: int) -> dict[int, Rating]:
    """Return the ratings that have games from this number on, by key, as they were before it."""
    ratings = Rating.objects.filter(kind_key=kind_key, number__gte=number).in_bulk()
    for rating in ratings.values():
        known = verdict.newcomer(kind_key, rating.user_id)
        for name in counting.COLUMNS:
            setattr(rating, name, getattr(known, name))
    earlier = RatedSeat.objects.filter(
        rating__kind_key=kind_key, rating__number__gte=number, left_out=RatedSeat.LeftOut.NO
    ).filter(number__lt=number)
    counts = earlier.values("rating").annotate(games=Count("pk"), last=Max("number")).order_by()
    games = {row["rating"]: (row["games"], row["last"]) for row in counts}
    lasts = {last for _, last in games.values()}
    for part in earlier.filter(number__in=lasts):
        if part.number == games[part.rating_id][1]:
            rating = ratings[part.rating_id]
            counting.take(rating, part)
            rating.games = games[part.rating_id][0]
    return ratings


def _write(parts: Sequence[RatedSeat]) -> None:
    RatedSeat.objects.bulk_update(parts, counting.PART_COLUMNS, batch_size=_AT_ONCE)
