"""The highlights of a game of Peco Peco: worked examples, and whole games."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.core.contract import Fact, fold
from games.peco_peco import replay, rules, words
from games.peco_peco.highlights import highlights
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    RoundEnded,
    RoundStarted,
)
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tests.fast_games import played_game
from games.peco_peco.tests.tables import table

NAMES = ("Anna", "Bob", "Carla")
EVENING = datetime(2026, 11, 20, 20, tzinfo=UTC)
# An elephant beats the cat: Anna holds three cards that do, Bob one of two, Carla none.
POSITION = "hands A[E,E,E,M] B[E,C] C[M,M]; top C; draw E,C,M; turn A; clockwise; rule none"


def steps(*facts: Fact) -> list[Moment]:
    state: State = table(POSITION)
    moments = [Moment(EVENING, (RoundStarted(3, state.stake_id, 0),), state)]
    for fact in facts:
        bluff = isinstance(fact, Declared) and is_bluff(state, fact.seat)
        state = fold(rules, [fact], state)
        moments.append(Moment(EVENING, (fact,), state, bluff))
    return moments


def told(*facts: Fact) -> list[str]:
    return [words.highlight(each, NAMES) for each in highlights(steps(*facts))]


def test_the_longest_row_of_bluffs_that_held() -> None:
    anna, bob, carla = Declared(0), Declared(1), Declared(2)
    end = RoundEnded(None)
    assert told(anna, bob, carla, end) == ["Best bluff: Anna wasn't caught."]
    row = [anna, bob, carla, anna, end]
    assert told(*row) == ["Longest bluff: Anna bluffed 2 times in a row and wasn't caught."]
    [found] = highlights(steps(*row))
    assert (found.moment, found.seat, found.values) == (5, 0, {"count": 2, "cards": 3})


def test_a_card_the_truth_or_an_accusation_ends_the_row() -> None:
    anna, end = Declared(0), RoundEnded(None)
    assert told(anna, CardPlayed(0, "M", False), end) == ["Best bluff: Anna wasn't caught."]
    assert told(Declared(2), end) == []  # Carla cannot play
    assert told(anna, BluffAdmitted(1, 0), end) == [
        "Best accusation: Bob caught Anna, who had 3 playable cards."
    ]


def test_the_best_accusation_is_the_one_that_was_hardest_to_make() -> None:
    """Three cards of Anna's four could be played, but only one of Bob's two."""
    facts = (Declared(0), BluffAdmitted(1, 0), Declared(1), BluffAdmitted(2, 1), RoundEnded(None))
    assert told(*facts) == ["Best accusation: Carla caught Bob, who had only 1 playable card."]


def test_a_stake_is_worth_what_it_adds() -> None:
    assert told(RoundEnded(None)) == []
    [found] = highlights(steps(RoundEnded(2)))
    assert (found.code, found.seat, found.moment) == ("stake", 2, 2)
    assert found.values["points"] > 0
    assert words.highlight(found, NAMES).startswith("Biggest gain: Carla won ")


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_the_highlights_of_a_whole_game_lead_to_their_moments(
    alice: User, bob: User, charlie: User, seed: int
) -> None:
    game = played_game(alice, bob, charlie, "easy", seed=seed)
    steps = replay.moments(game)
    ends = dict.fromkeys(("stake", "set", "turn"), RoundEnded)
    shown = {"bluff": Declared, "accusation": BluffAdmitted} | ends
    found = replay.highlights(game)
    assert found
    for each in found:
        step = steps[each.moment - 1]
        assert isinstance(step.facts[0], shown[each.code])
        assert words.highlight(each, ["Ann", "Bo", "Cy", "Di"]).endswith(".")
    ended = rules.outcome(steps[-1].state)
    assert ended is not None
    [key] = [each for each in found if each.is_key]
    assert key.seat in ended.winners or not any(each.seat in ended.winners for each in found)


def key_of(*facts: Fact, reason: str = "pile") -> tuple[str, int]:
    """The code and the seat of the key moment, if the game ended after these facts."""
    found = highlights(steps(*facts, GameEnded(reason)))
    [key] = [each for each in found if each.is_key]
    return key.code, key.seat


def test_the_key_moment_is_of_the_winner_and_of_the_round_that_brought_most() -> None:
    accused = (Declared(0), BluffAdmitted(1, 0))
    assert key_of(*accused, RoundEnded(2)) == ("stake", 2)
    assert key_of(*accused, RoundEnded(1)) == ("stake", 1)  # both are Bob's, this is the last
    assert not any(each.is_key for each in highlights(steps(*accused, RoundEnded(1))))


def test_of_equal_moments_the_last_is_the_key() -> None:
    """Nobody has won a stake, so all share the first place."""
    assert key_of(Declared(0), Declared(1), BluffAdmitted(2, 1), RoundEnded(None)) == (
        "accusation",
        2,
    )


def turn_of(*facts: Fact, reason: str) -> tuple[str, int, int]:
    """The code, the moment and the seat of the turn, if the game ended after these facts."""
    last = highlights(steps(*facts, GameEnded(reason)))[-1]
    return last.code, last.moment, last.seat


def test_a_game_turns_with_the_last_dish_or_with_a_lead_that_lasts() -> None:
    """Anna wins a stake, Bob two: with the second he has more points."""
    anna, bob = RoundEnded(0), RoundEnded(1)
    rounds = (anna, RoundStarted(4, "F01", 0), bob, RoundStarted(5, "F09", 1), bob)
    assert turn_of(*rounds, reason="pile") == ("turn", 6, 1)
    assert turn_of(*rounds, reason="set") == ("set", 6, 1)
    assert turn_of(anna, reason="pile") == ("stake", 2, 0), "who led all the time turned nothing"
    found = highlights(steps(*rounds, GameEnded("set")))
    assert [each.code for each in found if each.moment == 6] == ["set"], "the stake is told once"
