"""Games that begin in the middle of another: what stays, what is dealt anew, what a record says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

from games.core.chance import SeededChance
from games.core.contract import Fact, fold, may_know
from games.core.game_record import Record, RecordError, from_json, to_json
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    Declared,
    GameStarted,
    HandReceived,
    HonestyShown,
    RoundStarted,
)
from games.peco_peco.rules.midway import beginning
from games.peco_peco.rules.midway_facts import StartedMidway
from games.peco_peco.rules.notation import to_text
from games.peco_peco.rules.options import PRESETS, Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.random_games import is_whole, steps
from tests.games.contract.random_games import facts_of, seeded

TEAMS = replace(PRESETS["peco_base"], teams="on", peco_call="on")
SETTINGS = (PRESETS["peco_base"], TEAMS)
ACTORS = {
    **dict.fromkeys((CardPlayed, Declared), "seat"),
    **dict.fromkeys((BluffAdmitted, HonestyShown), "accuser"),
}


def log(seed: int, options: Options) -> list[Fact]:
    return list(facts_of(steps(seeded(seed), leaving=0.002, options=options)))


def decisions(facts: Sequence[Fact]) -> Iterator[tuple[list[Fact], State, int]]:
    """Of every decision on a turn: what its seat was told before, the state then, and the seat."""
    state: Any = None
    for place, fact in enumerate(facts):
        seat = getattr(fact, ACTORS.get(type(fact), ""), None)
        on_turn = seat is not None and state.phase == "turn" and seat == state.turn
        if on_turn and seat not in state.gone and not state.removed:
            yield [each for each in facts[:place] if may_know(each, seat)], state, seat
        state = rules.evolve(state, fact)


def played(begun: tuple[Sequence[Fact], Sequence[tuple[int, Any]]], chance: Any) -> State:
    """The state after the beginning, with nothing hidden."""
    facts, moves = begun
    state = fold(rules, facts)
    for seat, move in moves:
        state = fold(rules, rules.decide(state, seat, move, chance), state)
    return state


@pytest.mark.parametrize("options", SETTINGS)
def test_all_that_the_seat_knew_is_as_it_was(options: Options) -> None:
    seen = wrong = 0
    for seed in range(3):
        for told, state, seat in list(decisions(log(seed, options)))[::5]:
            chance = SeededChance(seed)
            begun = beginning(told, seat, chance)
            assert begun is not None
            again = played(begun, chance)
            hidden = {
                "hands",
                "food",
                "pile",
                "under",
                "confirmed",
                "extra",
                "first_round",
                "draws",
            }
            for name in {field.name for field in fields(State)} - hidden:
                assert getattr(again, name) == getattr(state, name), name
            assert again.first_round == state.number
            assert again.hands[seat] == state.hands[seat]
            assert [len(hand or ()) for hand in again.hands] == list(state.sizes)
            assert is_whole(again)
            assert rules.legal_moves(again, seat) == rules.legal_moves(state, seat)
            assert again.food is not None and state.food is not None
            assert sorted(again.food) == sorted(state.food)
            viewer = fold(rules, [each for each in begun[0] if may_know(each, seat)])
            before = fold(rules, told)
            assert sorted(viewer.under) == sorted(before.under)
            seen += 1
            wrong += again.hands == state.hands
    assert seen > 30 and wrong < seen / 4


def test_nothing_depends_on_what_others_really_held() -> None:
    """The same facts, told with other hidden ones, are all that goes in."""
    told, state, seat = list(decisions(log(1, SETTINGS[0])))[20]
    assert all(may_know(fact, seat) for fact in told)
    first = beginning(told, seat, SeededChance(9))
    assert first == beginning(told, seat, SeededChance(9))
    assert first != beginning(told, seat, SeededChance(8))


def test_every_unseen_card_is_dealt_as_often_as_any_other() -> None:
    told, state, seat = list(decisions(log(0, SETTINGS[0])))[6]
    other = next(each for each in state.active if each != seat and state.sizes[each] > 1)
    counted = Counter[str]()
    chance = SeededChance(4)
    known = fold(rules, told)
    unseen = Counter(DECK) - Counter([*known.under, state.top, *known.hand(seat)])
    for _ in range(600):
        begun = beginning(told, seat, chance)
        assert begun is not None
        [hand] = [f.cards for f in begun[0] if isinstance(f, HandReceived) and f.seat == other]
        counted.update(hand)
    total = sum(counted.values())
    for card, count in unseen.items():
        share = count / unseen.total()
        assert abs(counted[card] - total * share) < 6 * (total * share) ** 0.5
    assert not set(counted) - set(unseen)


def test_a_card_that_was_given_stays_with_its_new_owner() -> None:
    """Where nothing since has hidden again who holds it."""
    seen = 0
    for seed in range(12):
        for told, _state, seat in decisions(log(seed, SETTINGS[0])):
            last = next((f for f in reversed(told) if not f.aside), None)
            place = next((n for n, f in enumerate(told) if f is last), 0)
            passed = told[place]
            if not isinstance(passed, CardPassed) or passed.giver != seat:
                continue
            begun = beginning(told, seat, SeededChance(seed))
            assert begun is not None
            received = [f for f in begun[0] if isinstance(f, HandReceived)]
            assert passed.card in received[passed.taker].cards
            seen += 1
    assert seen


def test_a_card_that_was_given_and_then_lost_is_held_by_nobody() -> None:
    """With calls (Q43) a forgotten one takes the last card, which may be the one that was given."""
    checked = 0
    for seed in (2, 6, 11):
        facts = log(seed, TEAMS)
        assert seed != 6 or any(isinstance(fact, CallForgotten) for fact in facts)
        for told, state, seat in decisions(facts):
            begun = beginning(told, seat, SeededChance(seed))
            assert begun is not None
            again = played(begun, SeededChance(seed))
            assert again.hands[seat] == state.hands[seat]
            assert [len(hand or ()) for hand in again.hands] == list(state.sizes)
            checked += 1
    assert checked > 100


def test_only_the_seat_on_turn_can_try() -> None:
    told, state, seat = next(iter(decisions(log(0, SETTINGS[0]))))
    assert beginning(told, (seat + 1) % state.seats, SeededChance(0)) is None


# --- records --------------------------------------------------------------------------------------


def tried(seed: int = 1, at: int = 12) -> Record:
    """A game from a decision on, played to its end at random."""
    told, _state, seat = list(decisions(log(seed, SETTINGS[0])))[at]
    chance, generator = SeededChance(seed), seeded(seed)
    begun = beginning(told, seat, chance)
    assert begun is not None
    facts, state = list(begun[0]), fold(rules, begun[0])
    moves = [*begun[1]]
    while rules.outcome(state) is None:
        if not moves:
            seats = [each for each in range(state.seats) if rules.legal_moves(state, each)]
            number = generator.choice(seats)
            moves = [(number, generator.choice(rules.legal_moves(state, number)))]
        number, move = moves.pop(0)
        following = rules.decide(state, number, move, chance)
        facts += following
        state = fold(rules, following, state)
    return Record("peco_peco", tuple("ABCDEFGH"[: state.seats]), tuple(facts), date="2024-02-29")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_record_says_that_it_starts_in_the_middle_and_is_replayed(seed: int) -> None:
    record = tried(seed)
    assert from_json(rules, to_json(record)) == record
    assert "starts in the middle" in to_text(record)


def test_a_position_that_no_game_reaches_is_refused(subtests: pytest.Subtests) -> None:
    facts = tried().facts
    started, opened = facts[0], next(f for f in facts if isinstance(f, RoundStarted))
    place, position = next((n, f) for n, f in enumerate(facts) if isinstance(f, StartedMidway))
    assert isinstance(started, GameStarted)
    more = (position.sizes[0] + 1, *position.sizes[1:])
    for changes, why in [
        ({"sizes": position.sizes[1:]}, "each with cards"),
        ({"sizes": more}, f"there are {len(DECK)} cards"),
        ({"seat": 9}, "not there"),
        ({"sides": position.sides[1:]}, "one side"),
        ({"stakes": (*position.stakes, position.stakes[0])}, "turned up once"),
        ({"stakes": position.stakes[1:]}, "turned up last"),
        ({"under": (position.top,) * 20}, "so many cards of a kind"),
        ({"buried": -1}, "fewer than no cards"),
        ({"buried": 60}, "more is known"),
        ({"out": (position.seat,)}, "who is out"),
        ({"pending": ()}, "who has to answer"),
        ({"owner": position.seat}, "their own card"),
    ]:
        with subtests.test(changes=changes):
            changed: list[Fact] = [*facts[:place], replace(position, **changes)]  # type: ignore[arg-type]
            with pytest.raises(ValueError, match=why):
                rules.restart(changed, SeededChance(0))
    with pytest.raises(ValueError, match="no seat 9"):
        rules.restart([started, facts[1], replace(opened, starter=9), *facts[3:]], SeededChance(0))


def test_a_position_without_any_stake_is_refused() -> None:
    facts = list(tried().facts)
    place, position = next((n, f) for n, f in enumerate(facts) if isinstance(f, StartedMidway))
    opened = next(n for n, f in enumerate(facts) if isinstance(f, RoundStarted))
    facts[place] = replace(position, stakes=(), buffets=((),) * len(position.sizes))
    facts[opened] = RoundStarted(0, "", 0)
    with pytest.raises(ValueError, match="turned up last"):
        rules.restart(facts, SeededChance(0))


def test_a_record_in_which_the_position_is_not_true_to_the_deal_is_refused() -> None:
    record = tried()
    place, position = next(
        (n, f) for n, f in enumerate(record.facts) if isinstance(f, StartedMidway)
    )
    other = replace(position, direction=-position.direction)  # type: ignore[arg-type]
    facts = (*record.facts[:place], other, *record.facts[place + 1 :])
    with pytest.raises(RecordError):
        from_json(rules, to_json(replace(record, facts=facts)))
