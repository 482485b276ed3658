"""What a game leaves when it ends: a result for each person, counted on in the person's tally.

A tally counts what people did themselves. A move that the clock or a bot made for somebody counts
for nobody, and a game that somebody left, or that a bot finished, is neither won nor lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games import log
from games.models import Game, Result, Round, Seat, Tally
from games.rules.perudo.events import BidMade, Revealed

_COUNTED = ("doubts", "doubts_right", "calzas", "calzas_exact", "bids_challenged", "bids_true")


def write(game: Game, seats: Sequence[Seat]) -> None:
    """Write down how the game went; the caller holds the transaction in which it ended."""
    people = [seat for seat in seats if seat.user_id is not None]
    Result.objects.bulk_create(_result(game, seat) for seat in people)
    tallies = _held(seat.user_id for seat in people if seat.user_id is not None)
    rounds = list(Round.objects.filter(game=game))
    if log.has_automatic_moves(game):
        _mark_automatic(game, rounds)
    for seat in people:
        _count(tallies[seat.user_id or 0], seat, rounds)
    Tally.objects.bulk_update(tallies.values(), ["places", "left", *_COUNTED])


def _result(game: Game, seat: Seat) -> Result:
    facts: Any = {"user_id": seat.user_id, "finished_at": game.finished_at, "place": seat.place}
    return Result(
        seat=seat,
        left=seat.left,
        preset=game.preset,
        calza=game.options["calza"] == "on",
        public=game.public,
        **facts,
    )


def _mark_automatic(game: Game, rounds: Iterable[Round]) -> None:
    """Say of each round whose last bid or call was made for a person, as the log has it."""
    by_seq = {row.seq: row for row in rounds}
    marked, bid_automatic = [], False
    for told in log.public_facts(game, after=0, upto=game.seq):
        if isinstance(told.fact, BidMade):
            bid_automatic = told.automatic
        elif isinstance(told.fact, Revealed) and (bid_automatic or told.automatic):
            row = by_seq[told.seq]
            row.bid_automatic, row.call_automatic = bid_automatic, told.automatic
            marked.append(row)
    Round.objects.bulk_update(marked, ["bid_automatic", "call_automatic"])


def _held(users: Iterable[int]) -> dict[int, Tally]:
    """The tallies of these people by their ids, held until the transaction ends.

    They are taken in the order of the ids, so that two games never wait for each other in a ring.
    """
    ids = sorted(users)
    Tally.objects.bulk_create((Tally(user_id=pk) for pk in ids), ignore_conflicts=True)
    held = Tally.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return {tally.user_id: tally for tally in held}


def _count(tally: Tally, seat: Seat, rounds: Iterable[Round]) -> None:
    if seat.left:
        tally.left += 1
    else:
        place = seat.place or 0
        tally.places += [0] * (place - len(tally.places))
        tally.places[place - 1] += 1
    for row in rounds:
        dudo = row.call == Round.Call.DUDO
        called, bid = row.caller_id == seat.pk, row.bidder_id == seat.pk
        if called and not row.call_automatic and dudo:
            tally.doubts += 1
            tally.doubts_right += row.count < row.quantity
        elif called and not row.call_automatic:
            tally.calzas += 1
            tally.calzas_exact += row.count == row.quantity
        if bid and not row.bid_automatic and dudo:
            tally.bids_challenged += 1
            tally.bids_true += row.count >= row.quantity
