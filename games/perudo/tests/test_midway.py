"""Games that begin in the middle of another: what stays, what is dealt anew, what a record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest

from games.core.chance import SeededChance
from games.core.contract import Fact, fold, may_know
from games.core.game_record import Record, RecordError, from_json, to_json
from games.perudo import rules
from games.perudo.rules.events import (
    BidMade,
    GameStarted,
    Revealed,
    Rolled,
    RoundStarted,
    StartedMidway,
)
from games.perudo.rules.midway import beginning
from games.perudo.rules.notation import to_text
from games.perudo.rules.options import PRESETS, SITE_OPTIONS, Options
from games.perudo.rules.state import State
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import facts_of, seeded

CALZA = replace(PRESETS["asmodee_fr"], calza="on")
SETTINGS = (SITE_OPTIONS, CALZA, PRESETS["web_fr"], replace(SITE_OPTIONS, palifico_repeat="once"))


def log(seed: int, options: Options) -> list[Fact]:
    return list(facts_of(steps(seeded(seed), leaving=0.01, options=options)))


def decisions(facts: Sequence[Fact]) -> Iterator[tuple[list[Fact], State, int]]:
    """Of every decision on a turn: what its seat was told before, the state then, and the seat."""
    state: Any = None
    for place, fact in enumerate(facts):
        seat = getattr(fact, {BidMade: "seat", Revealed: "caller"}.get(type(fact), ""), None)
        on_turn = seat is not None and state.phase == "turn" and seat == state.turn
        if on_turn and seat not in state.gone:
            yield [each for each in facts[:place] if may_know(each, seat)], state, seat
        state = rules.evolve(state, fact)


def played(begun: tuple[Sequence[Fact], Sequence[tuple[int, Any]]], chance: Any) -> State:
    """The state after the beginning, with nothing hidden."""
    facts, moves = begun
    state = fold(rules, facts)
    for seat, move in moves:
        state = fold(rules, rules.decide(state, seat, move, chance), state)
    return state


def test_all_that_the_seat_knew_is_as_it_was(subtests: pytest.Subtests) -> None:
    for (number, options), seed in product(enumerate(SETTINGS), range(4)):
        with subtests.test(number=number, seed=seed):
            seen = 0
            for told, state, seat in decisions(log(seed, options)):
                chance = SeededChance(seed)
                begun = beginning(told, seat, chance)
                assert begun is not None
                again = played(begun, chance)
                for name in {field.name for field in fields(State)} - {"hands", "gone"}:
                    if name not in ("first_round", "starter_rolls", "confirmed"):
                        assert getattr(again, name) == getattr(state, name), name
                assert again.first_round == state.number
                assert set(again.gone) == {one for one in state.gone if one not in state.out}
                assert again.hands[seat] == state.hands[seat]
                assert [len(hand or ()) for hand in again.hands] == list(state.dice)
                assert rules.legal_moves(again, seat) == rules.legal_moves(state, seat)
                seen += 1
            assert seen > 10


def test_the_others_hold_any_dice_as_often_as_any_other() -> None:
    """Of 6,000 dice each value comes some 1,000 times: six deviations would be a thousandth."""
    told, state, seat = next(iter(decisions(log(0, SITE_OPTIONS))))
    chance, counted = SeededChance(1), Counter[int]()
    hands = set()
    dice = 0
    while dice < 6_000:
        begun = beginning(told, seat, chance)
        assert begun is not None
        for fact in begun[0]:
            if isinstance(fact, Rolled) and fact.only != seat:
                counted.update(fact.dice)
                dice += len(fact.dice)
                hands.add(fact.dice)
    assert len(hands) > 100
    assert set(counted) == set(range(1, 7))
    assert all(abs(count - dice / 6) < 6 * (dice * 5 / 36) ** 0.5 for count in counted.values())


def test_nothing_depends_on_what_others_really_held() -> None:
    """Two games that differ in hidden dice alone give the same table from the same seed."""
    facts = log(3, CALZA)
    for told, state, seat in decisions(facts):
        before = facts[: _place_of(facts, state)]
        other = [_other_dice(fact) if _is_hidden(fact, state, seat) else fact for fact in before]
        assert other != before
        heard = [fact for fact in other if may_know(fact, seat)]
        assert beginning(heard, seat, SeededChance(9)) == beginning(told, seat, SeededChance(9))


def _place_of(facts: Sequence[Fact], state: State) -> int:
    now: Any = None
    for place, fact in enumerate(facts, start=1):
        now = rules.evolve(now, fact)
        if now == state:
            return place
    raise LookupError


def _is_hidden(fact: Fact, state: State, seat: int) -> bool:
    return isinstance(fact, Rolled) and fact.only != seat and fact.dice == state.hands[fact.only]


def _other_dice(fact: Fact) -> Fact:
    assert isinstance(fact, Rolled)
    return Rolled(fact.only, tuple(sorted(7 - die for die in fact.dice)) or fact.dice)


def test_no_hand_but_the_own_one_gets_into_it() -> None:
    """Of what others held no fact is taken, not even what the reveals before have shown."""
    for told, state, seat in decisions(log(2, SITE_OPTIONS)):
        begun = beginning(told, seat, SeededChance(0))
        assert begun is not None
        kinds = {fact.kind for fact in begun[0]}
        assert kinds == {"game_started", "started_midway", "round_started", "rolled"}
        assert [f for f in begun[0] if isinstance(f, Rolled) and f.only == seat] == [
            Rolled(seat, state.hand(seat))
        ]


def test_only_the_seat_on_turn_can_try() -> None:
    told, state, seat = next(iter(decisions(log(0, SITE_OPTIONS))))
    assert beginning(told, state.left_of(seat), SeededChance(0)) is None


# --- records --------------------------------------------------------------------------------------


def tried(seed: int = 1, at: int = 12) -> Record:
    """A game from a decision on, played to its end at random."""
    told, _state, seat = list(decisions(log(seed, CALZA)))[at]
    chance = SeededChance(seed)
    begun = beginning(told, seat, chance)
    assert begun is not None
    facts, state = list(begun[0]), fold(rules, begun[0])

    def do(number: int, move: Any) -> State:
        following = rules.decide(state, number, move, chance)
        facts.extend(following)
        return fold(rules, following, state)

    for number, move in begun[1]:
        state = do(number, move)
    while rules.outcome(state) is None:
        for number, move in rules.due_moves(state):
            state = do(number, move)
    return Record("perudo", tuple("ABCDEF"[: state.seats]), tuple(facts), date="2024-02-29")


def test_a_record_says_that_it_starts_in_the_middle_and_is_replayed() -> None:
    record = tried()
    assert from_json(rules, to_json(record)) == record
    position = record.facts[1]
    assert isinstance(position, StartedMidway)
    dice = " ".join(f"{'ABCDEF'[seat]} {each}" for seat, each in enumerate(position.dice))
    assert f"Starts in the middle, at round {position.number}: {dice}\n" in to_text(record)


def test_a_position_that_no_game_reaches_is_refused(subtests: pytest.Subtests) -> None:
    for changes, why in [
        ({"dice": (5, 5)}, "each with a number of dice"),
        ({"dice": (6, 5, 5)}, "nobody has more than 5 dice"),
        ({"dice": (5, 0, 0)}, "two have dice"),
        ({"dice": (5, 5, 0)}, "two have dice"),
        ({"out": (0,)}, "two have dice"),
        ({"have_been_palifico": (3,)}, "only a seat"),
        ({"number": 0}, "the round is opened"),
        ({"number": 5}, "the round is opened"),
    ]:
        with subtests.test(changes=changes):
            position = replace(StartedMidway(4, (5, 5, 1), (), ()), **changes)
            facts = [GameStarted(3, SITE_OPTIONS), position, RoundStarted(4, 0, None)]
            with pytest.raises(ValueError, match=why):
                rules.restart(facts, SeededChance(0))


@pytest.mark.parametrize("opened", [RoundStarted(4, 3, None), RoundStarted(4, 0, 0)])
def test_nor_is_a_round_that_nobody_could_open(opened: RoundStarted) -> None:
    facts = [GameStarted(3, SITE_OPTIONS), StartedMidway(4, (5, 5, 1), (), ()), opened]
    with pytest.raises(ValueError, match="opens|opened"):
        rules.restart(facts, SeededChance(0))


def test_a_record_in_which_the_position_is_not_true_to_the_deal_is_refused() -> None:
    record = tried()
    position: Any = record.facts[1]
    seat = next(seat for seat, each in enumerate(position.dice) if 0 < each < 5)
    dice = tuple(each + (number == seat) for number, each in enumerate(position.dice))
    facts = (record.facts[0], replace(position, dice=dice), *record.facts[2:])
    with pytest.raises(RecordError):
        from_json(rules, to_json(replace(record, facts=facts)))
