"""The highlights of a game: worked examples, with the chances computed by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from math import comb

import pytest

from games.core.contract import Fact
from games.perudo import words
from games.perudo.highlights import highlights
from games.perudo.moments import Moment
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, Call, Revealed
from games.perudo.rules.evolve import evolve
from games.perudo.rules.state import State
from games.perudo.tests.tables import table

ANNA, BOB = (2, 2, 3, 4, 5), (3, 4, 5, 6, 6)
NAMES = ("Anna", "Bob")
EVENING = datetime(2026, 11, 20, 20, tzinfo=UTC)


def steps(*said: str, call: Call, caller: int, palifico: int | None = None) -> list[Moment]:
    """A round in which Anna opens, and what was called on its last bid."""
    state: State = table([ANNA, BOB], palifico=palifico)
    moments = [Moment(EVENING, (), state)]
    facts: list[Fact] = [BidMade(n % 2, Bid.from_text(text)) for n, text in enumerate(said)]
    last = Bid.from_text(said[-1])
    wild = palifico is None and last.face != 1
    count = sum(die == last.face or (wild and die == 1) for die in (*ANNA, *BOB))
    facts.append(Revealed(call, caller, (ANNA, BOB), count))
    for fact in facts:
        state = evolve(state, fact)
        moments.append(Moment(EVENING, (fact,), state))
    return moments


def chances(found: list[tuple[str, int, float]]) -> list[tuple[str, int, float]]:
    return [(code, moment, pytest.approx(chance)) for code, moment, chance in found]


def told(moments: list[Moment]) -> list[tuple[str, int, float]]:
    found = highlights(moments)
    return [(each.code, each.moment, each.values["chance"]) for each in found]


def test_the_boldest_bid_held_because_another_was_made_on_it() -> None:
    """Anna has no six: all five dice of Bob must be sixes or pacos, 1 in 3 each.

    Anna knows that six cannot lie there, so her dudo was no feat.
    """
    found = told(steps("2x4", "2x5", "5x6", "6x6", call="dudo", caller=0))
    assert found == chances([("bid", 4, 1 / 243)])


def test_a_bid_that_was_doubted_held_if_it_was_true() -> None:
    """Anna holds two twos and Bob none: nothing for 2 × 2 to fear, and nothing to tell of it."""
    assert told(steps("2x2", call="dudo", caller=1)) == []
    # Palifico: Bob has two sixes and needs none of Anna's; Anna's own 2 × 6 needed two of five.
    two_of_five = 1 - (5 / 6) ** 5 - 5 * (1 / 6) * (5 / 6) ** 4
    assert told(steps("2x6", call="dudo", caller=1, palifico=0)) == chances(
        [("bid", 2, two_of_five)]
    )


def test_the_best_dudo_doubted_what_looked_true() -> None:
    """3 × 5: Bob has one, so two of Anna's five dice would do, 1 - (32 + 80) / 243; she has one."""
    two_of_five = 1 - ((2 / 3) ** 5 + 5 * (1 / 3) * (2 / 3) ** 4)
    assert told(steps("3x5", call="dudo", caller=1)) == chances([("dudo", 3, two_of_five)])


def test_a_calza_is_told_with_its_chance() -> None:
    """2 × 5 is exact, and Bob has one: one of Anna's five dice, 5 · 16 / 243 = 80 / 243."""
    assert told(steps("2x5", call="calza", caller=1)) == chances(
        [("calza", 3, comb(5, 1) * 16 / 243)]
    )


def test_without_an_exact_calza_the_closest_one_is_told() -> None:
    [found] = highlights(steps("1x5", call="calza", caller=1))
    assert (found.code, found.seat, found.values["off"]) == ("near_calza", 1, 1)
    assert highlights(steps("4x5", call="calza", caller=1)) == []


def test_each_highlight_is_a_sentence() -> None:
    both = highlights(steps("5x6", "6x6", call="calza", caller=0))
    both += highlights(steps("3x5", call="dudo", caller=1))
    both += highlights(steps("2x5", call="calza", caller=1))
    both += highlights(steps("1x5", call="calza", caller=1))
    assert [words.highlight(each, NAMES) for each in both] == [
        "Boldest bid that held: Anna bid 5 sixes, <1% likely.",
        "Best dudo: Bob doubted 3 fives, a bid that was 54% likely.",
        "Closest calza: Bob called 2 fives exactly right, 33% likely.",
        "Closest calza: Bob was one die off with 1 five.",
    ]


def key_of(winner: int, *rounds: list[Moment]) -> tuple[str, int]:
    """The code and the moment of the key moment, if this player won after these rounds."""
    moments = [moment for each in rounds for moment in each]
    over = replace(moments[-1].state, phase="over", out=(1 - winner,))
    [key] = [each for each in highlights([*moments, Moment(EVENING, (), over)]) if each.is_key]
    return key.code, key.moment


def test_the_key_moment_gave_the_winner_the_largest_share_of_the_dice() -> None:
    """Each has five dice. Anna's bid that held: 5 of 10 instead of 4 of 9. Bob's right dudo: 5 of 9
    instead of 4 of 9, and for Anna the other way round. Bob's exact calza: 5 of 10 instead of 4 of
    9, since nobody has a sixth die (P34).
    """
    held = steps("2x4", "2x5", "5x6", "6x6", call="dudo", caller=0)
    dudo = steps("3x5", call="dudo", caller=1)
    calza = steps("2x5", call="calza", caller=1)
    assert key_of(0, held, dudo, calza) == ("bid", 4)
    assert key_of(1, held, dudo, calza) == ("dudo", len(held) + 3)
    assert key_of(1, held, calza) == ("calza", len(held) + 3)


def test_of_equal_moments_the_last_is_the_key() -> None:
    """Anna's bid that held: 5 of 10 instead of 4 of 9. Bob's calza, one off: 5 of 9, not of 10."""
    held = steps("2x4", "2x5", "5x6", "6x6", call="dudo", caller=0)
    missed = steps("1x5", call="calza", caller=1)
    assert key_of(0, held, missed) == ("near_calza", len(held) + 3)
    assert key_of(0, missed, held) == ("bid", len(missed) + 4)


def test_while_the_game_runs_no_moment_is_the_key() -> None:
    assert not any(each.is_key for each in highlights(steps("3x5", call="dudo", caller=1)))


def turns(winner: int, *dice: tuple[int, int]) -> list[tuple[int, int]]:
    """The moment and the seat of the turn of a game whose reveals left these dice."""
    moments: list[Moment] = []
    for left in dice:
        *before, reveal = steps("3x5", call="dudo", caller=1)
        moments += [*before, replace(reveal, state=replace(reveal.state, dice=left))]
    over = replace(moments[-1].state, phase="over", out=(1 - winner,))
    found = highlights([*moments, Moment(EVENING, (), over)])
    return [(each.moment, each.seat) for each in found if each.code == "turn"]


def test_a_game_turns_with_the_reveal_after_which_its_winner_led_to_the_end() -> None:
    assert turns(0, (5, 4), (4, 4), (4, 3), (4, 2)) == [(9, 0)]
    assert turns(1, (5, 4), (4, 4), (0, 4)) == [(9, 1)]
    assert turns(0, (5, 4), (5, 3)) == [], "who led all the time had nothing to turn"
    assert words.highlight_title("turn") == "Turn of the tide"
