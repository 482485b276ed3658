"""The marks of Perudo: see `optional_parts.Marks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from games.contract.game_values import Earned, ReplayMove
from games.perudo.moments import Moment
from games.perudo.rules.bids import DICE_EACH
from games.perudo.rules.events import DieLost, DieRegained
from games.perudo.rules.outcome import outcome

VERSION: Final = 1
ALONE: Final = ("first_win", "first_dudo", "first_truth")
BY_REVIEW: Final = ("believed", "no_error")
KEYS: Final = (
    *ALONE,
    *("one_against_four", "three_calzas", "comeback", "untouched"),
    *("ten_dice", "keen_dudo", "by_one_die", "empty_hand"),
    *BY_REVIEW,
)

_MANY: Final = 4  # the least dice of the others against one
_CALZAS: Final = 3
_BACK_TO: Final = 3  # dice, after one
_BIG: Final = 10  # the least dice of a big bid
LIKELY: Final = 0.6  # a bid this likely by one's own dice is seldom doubted
_NEEDED: Final = 4  # the least dice of a bid that nobody would make with none of them
BELIEVED: Final = 0.1  # the most that a false bid that nobody doubted was likely
_DECISIONS: Final = 20  # the least of a game without an error


def earned(moments: Sequence[Moment]) -> list[Earned]:
    found: dict[tuple[int, str], Earned] = {}
    for each in (*_moves(moments), *_dice(moments), *_end(moments)):
        found.setdefault((each.seat, each.key), each)
    return list(found.values())


def earned_by_review(account: Mapping[str, Any]) -> list[Earned]:
    seat, bluff = account["seat"], account["boldest"]
    found = []
    if bluff is not None and bluff["chance"] <= BELIEVED:
        found.append(Earned(seat, "believed", bluff["moment"]))
    errors = sum(account[kind] for kind in ("inaccuracies", "mistakes", "blunders"))
    if account["accuracy"] is not None and account["decisions"] >= _DECISIONS and not errors:
        found.append(Earned(seat, "no_error", 0))
    return found


def _moves(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What people earned by the call that ended a round, and by the bid it was about."""
    calzas: dict[int, int] = {}
    for number, (shown, then) in enumerate(pairwise(moments), start=1):
        call = then.move
        if call is None or call.code == "bid":
            continue
        bid, true = shown.move, call.values["count"] >= call.values["quantity"]
        if not call.automatic:
            yield from _call(call, number + 1, calzas, then)
        if bid is not None and true and not bid.automatic:
            yield from _true_bid(bid, call, number)


def _call(call: ReplayMove, number: int, calzas: dict[int, int], then: Moment) -> Iterator[Earned]:
    seat, missing = call.seat, call.values["quantity"] - call.values["count"]
    if call.code == "calza" and missing == 0:
        calzas[seat] = calzas.get(seat, 0) + 1
        if calzas[seat] == _CALZAS:
            yield Earned(seat, "three_calzas", number)
    if call.code == "dudo" and missing > 0:
        yield Earned(seat, "first_dudo", number)
        if call.chance is not None and call.chance <= 1 - LIKELY:
            yield Earned(seat, "keen_dudo", number)
        if missing == 1 and len(then.state.active) == 1 and then.state.dice[seat] == 1:
            yield Earned(seat, "by_one_die", number)


def _true_bid(bid: ReplayMove, call: ReplayMove, number: int) -> Iterator[Earned]:
    if call.code == "dudo":
        yield Earned(bid.seat, "first_truth", number)
        if bid.values["held"] == 0 and bid.values["quantity"] >= _NEEDED:
            yield Earned(bid.seat, "empty_hand", number)
    if bid.values["quantity"] >= _BIG:
        yield Earned(bid.seat, "ten_dice", number)


def _dice(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What people earned by dice won back."""
    low: set[int] = set()
    for number, shown in enumerate(moments, start=1):
        for fact in shown.facts:
            match fact:
                case DieLost(seat) if shown.state.dice[seat] == 1:
                    low.add(seat)
                case DieRegained(seat) if shown.move is None or shown.move.automatic:
                    low.discard(seat)
                case DieRegained(seat) if seat in low and shown.state.dice[seat] == _BACK_TO:
                    yield Earned(seat, "comeback", number)


def _end(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What the winner earned."""
    ended = outcome(moments[-1].state)
    if ended is None or ended.reason != "last_with_dice":
        return
    [winner] = ended.winners
    last = len(moments)
    yield Earned(winner, "first_win", last)
    states = [shown.state for shown in moments]
    if all(state.dice[winner] == DICE_EACH for state in states):
        yield Earned(winner, "untouched", last)
    for number, state in enumerate(states, start=1):
        if len(state.active) == 2 and state.dice[winner] == 1 and sum(state.dice) > _MANY:  # noqa: PLR2004
            yield Earned(winner, "one_against_four", number)
