"""The marks of Peco Peco: see `optional_parts.Marks`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from games.contract.game_values import Earned
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import BluffAdmitted, HonestyShown, RoundEnded
from games.peco_peco.rules.outcome import outcome

VERSION: Final = 1
ALONE: Final = ("first_win", "first_catch", "first_bluff")
BY_REVIEW: Final = ()
KEYS: Final = (
    *ALONE,
    *("bluffs", "full_hand", "catches", "wrongly_accused"),
    *("caught_and_won", "three_rounds", "no_bluff", "set_menu"),
)

_IN_A_ROW: Final = 8  # bluffs in one round
_FULL: Final = 4  # the least cards of a hand that could all be played
_CATCHES: Final = 5  # in one round
_SOON: Final = 6  # the latest round in which a set comes early
_INNOCENT: Final = 4  # times accused in one round
_CAUGHT: Final = 3  # times in one round
_ROUNDS: Final = 3  # won in a row


def earned(moments: Sequence[Moment]) -> list[Earned]:
    found: dict[tuple[int, str], Earned] = {}
    for each in (*_bluffs(moments), *_accusations(moments), *_rounds(moments), *_end(moments)):
        found.setdefault((each.seat, each.key), each)
    return list(found.values())


def earned_by_review(account: Mapping[str, Any]) -> list[Earned]:
    return []


def _bluffs(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What was earned by bluffs that were not admitted; a row of them is within a round."""
    row: Counter[int] = Counter()
    number_of_round = 0
    for number, (shown, then) in enumerate(pairwise(moments), start=1):
        if shown.round != number_of_round:
            row, number_of_round = Counter(), shown.round
        move = shown.move
        if move is None or move.code == "accuse":
            continue
        held = shown.bluff and not isinstance(then.facts[0], BluffAdmitted)
        if not held or move.automatic:
            del row[move.seat]
            continue
        row[move.seat] += 1
        yield Earned(move.seat, "first_bluff", number)
        if row[move.seat] == _IN_A_ROW:
            yield Earned(move.seat, "bluffs", number)
        if move.values["fits"] == move.values["held"] >= _FULL:
            yield Earned(move.seat, "full_hand", number)


def _accusations(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What was earned by accusing and by being accused, counted by seat and round."""
    caught: Counter[tuple[int, int]] = Counter()
    innocent: Counter[tuple[int, int]] = Counter()
    for number, shown in enumerate(moments, start=1):
        match shown.facts[0]:
            case BluffAdmitted(accuser) if shown.move and not shown.move.automatic:
                caught[accuser, shown.round] += 1
                yield Earned(accuser, "first_catch", number)
                if caught[accuser, shown.round] == _CATCHES:
                    yield Earned(accuser, "catches", number)
            case HonestyShown(_, accused):
                innocent[accused, shown.round] += 1
                if innocent[accused, shown.round] == _INNOCENT:
                    yield Earned(accused, "wrongly_accused", number)


def _rounds(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What the winners of rounds earned."""
    last, row = None, 0
    caught: Counter[tuple[int, int]] = Counter()
    for number, shown in enumerate(moments, start=1):
        match shown.facts[0]:
            case BluffAdmitted(_, accused):
                caught[accused, shown.round] += 1
            case RoundEnded(winner):
                row = row + 1 if winner == last else 1
                last = winner
                if winner is None:
                    continue
                if row == _ROUNDS:
                    yield Earned(winner, "three_rounds", number)
                if caught[winner, shown.round] >= _CAUGHT:
                    yield Earned(winner, "caught_and_won", number)


def _end(moments: Sequence[Moment]) -> Iterator[Earned]:
    """What the winners of the game earned."""
    state = moments[-1].state
    ended = outcome(state)
    if ended is None or ended.reason == "others_left":
        return
    last = len(moments)
    bluffers = {shown.move.seat for shown in moments if shown.bluff and shown.move}
    declared = {shown.move.seat for shown in moments if shown.move and shown.move.code == "pass"}
    for seat in ended.winners:
        yield Earned(seat, "first_win", last)
        if seat in declared - bluffers:
            yield Earned(seat, "no_bluff", last)
        if ended.reason == "set" and state.number <= _SOON:
            yield Earned(seat, "set_menu", last)
