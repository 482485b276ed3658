"""What a game leaves when it ends: a result for each person, counted on in the person's tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.models import Game, Result, Round, Seat, Tally

_COUNTED = ("doubts", "doubts_right", "calzas", "calzas_exact", "bids_challenged", "bids_true")


def write(game: Game, seats: Sequence[Seat]) -> None:
    """Write down how the game went; the caller holds the transaction in which it ended."""
    people = [seat for seat in seats if seat.user_id is not None]
    Result.objects.bulk_create(_result(game, seat) for seat in people)
    tallies = _held(seat.user_id for seat in people if seat.user_id is not None)
    rounds = list(Round.objects.filter(game=game))
    for seat in people:
        _count(tallies[seat.user_id or 0], seat, rounds)
    Tally.objects.bulk_update(tallies.values(), ["places", *_COUNTED])


def _result(game: Game, seat: Seat) -> Result:
    facts: Any = {"user_id": seat.user_id, "finished_at": game.finished_at, "place": seat.place}
    return Result(
        seat=seat,
        left=seat.gone,
        preset=game.preset,
        calza=game.options["calza"] == "on",
        public=game.public,
        **facts,
    )


def _held(users: Iterable[int]) -> dict[int, Tally]:
    """The tallies of these people by their ids, held until the transaction ends.

    They are taken in the order of the ids, so that two games never wait for each other in a ring.
    """
    ids = sorted(users)
    Tally.objects.bulk_create((Tally(user_id=pk) for pk in ids), ignore_conflicts=True)
    held = Tally.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return {tally.user_id: tally for tally in held}


def _count(tally: Tally, seat: Seat, rounds: Iterable[Round]) -> None:
    place = seat.place or 0
    tally.places += [0] * (place - len(tally.places))
    tally.places[place - 1] += 1
    for row in rounds:
        dudo = row.call == Round.Call.DUDO
        if row.caller_id == seat.pk and dudo:
            tally.doubts += 1
            tally.doubts_right += row.count < row.quantity
        elif row.caller_id == seat.pk:
            tally.calzas += 1
            tally.calzas_exact += row.count == row.quantity
        if row.bidder_id == seat.pk and dudo:
            tally.bids_challenged += 1
            tally.bids_true += row.count >= row.quantity
