"""The marks of Perudo: scripted games that earn each of them, and games that just miss it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import Any

import pytest

from games.contract.game_values import RecordedFact
from games.core.chance import ScriptedChance
from games.core.contract import Fact, fold
from games.core.moves import Confirm, Leave
from games.perudo import marks, rules
from games.perudo.moments import Moment, from_log
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import GameStarted, Rolled, RoundStarted, StartedMidway
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.options import Options

EVENING = datetime(2026, 11, 20, 20, tzinfo=UTC)
A, B, C = range(3)
SEEN = Confirm()


def bid(text: str) -> Bid:
    return Bid.from_text(text)


def game(
    hands: Sequence[Sequence[int]], *moves: tuple[int, Move], opener: int = A, by_clock: str = ""
) -> list[Moment]:
    """The moments of a game that begins with these hands; all later dice are twos.

    `by_clock` is the kind of the moves that a bot or a timeout made.
    """
    chance = ScriptedChance(repeat(2))
    dice = tuple(map(len, hands))
    out = tuple(seat for seat, held in enumerate(dice) if not held)
    facts: list[Fact] = [
        GameStarted(len(hands), Options(calza="on")),
        StartedMidway(1, dice, out, ()),
        RoundStarted(1, opener, None),
        *(Rolled(seat, tuple(hand)) for seat, hand in enumerate(hands) if hand),
    ]
    state = fold(rules, facts)
    automatic = set[int]()
    for seat, move in moves:
        if move.kind == by_clock:
            automatic.add(len(facts))
        facts += rules.decide(state, seat, move, chance)
        state = fold(rules, facts)
        if state.phase == "claims":
            facts += rules.decide(state, *rules.due_moves(state)[0], chance)
            state = fold(rules, facts)
    recorded = (
        RecordedFact(number, EVENING + timedelta(seconds=number), fact, number in automatic)
        for number, fact in enumerate(facts)
    )
    return from_log(recorded)


def earned(moments: Sequence[Moment]) -> dict[str, int]:
    """Who earned which mark."""
    found = marks.earned(moments)
    assert all(1 <= each.moment <= len(moments) for each in found)
    assert len({(each.seat, each.key) for each in found}) == len(found)
    return {each.key: each.seat for each in found}


def test_a_right_dudo_and_a_true_bid() -> None:
    """There are two threes. Alone, everybody has these soon."""
    hands = ((3, 4, 4, 5, 6), (3, 4, 4, 5, 6))
    false = game(hands, (A, bid("3x3")), (B, Dudo()))
    assert earned(false) == {"first_dudo": B}
    [found] = marks.earned(false)
    assert false[found.moment - 1].opens, "the moment is that of the reveal"
    true = game(hands, (A, bid("2x3")), (B, Dudo()))
    assert earned(true) == {"first_truth": A}
    [found] = marks.earned(true)
    assert true[found.moment - 1].move == true[1].move, "the moment is that of the bid"


def test_what_a_bot_did_for_a_person_earns_nothing() -> None:
    hands = ((3, 4, 4, 5, 6), (3, 4, 4, 5, 6))
    assert earned(game(hands, (A, bid("3x3")), (B, Dudo()), by_clock="dudo")) == {}
    assert earned(game(hands, (A, bid("2x3")), (B, Dudo()), by_clock="bid")) == {}


def test_a_dudo_on_a_bid_that_looked_true() -> None:
    """Bob has three fives of his own and needs one of Anna's five dice: 1 - (2/3)^5, 87%.

    With two fives of his own it is 1 - 112/243, 54%: not enough.
    """
    anna = (2, 3, 4, 6, 6)
    assert earned(game((anna, (2, 3, 5, 5, 5)), (A, bid("4x5")), (B, Dudo()))) == {
        "first_dudo": B,
        "keen_dudo": B,
    }
    assert "keen_dudo" not in earned(game((anna, (2, 3, 4, 5, 5)), (A, bid("4x5")), (B, Dudo())))


def test_a_true_bid_without_a_die_of_it() -> None:
    hands = ((2, 3, 4, 6, 6), (3, 5, 5, 5, 5))
    assert earned(game(hands, (A, bid("4x5")), (B, Dudo()))) == {"first_truth": A, "empty_hand": A}
    assert "empty_hand" not in earned(game(hands, (A, bid("3x5")), (B, Dudo())))
    own = ((2, 3, 4, 5, 6), (3, 5, 5, 5, 6))
    assert "empty_hand" not in earned(game(own, (A, bid("4x5")), (B, Dudo())))


def test_ten_dice_and_all_of_them_there() -> None:
    hands = ((2,) * 5, (2,) * 5, (3,) * 5)
    assert earned(game(hands, (A, bid("10x2")), (B, Dudo())))["ten_dice"] == A
    assert "ten_dice" not in earned(game(hands, (A, bid("9x2")), (B, Dudo())))
    assert "ten_dice" not in earned(game(hands, (A, bid("11x2")), (B, Dudo())))


def back_from_one(*last: tuple[int, Move], by_clock: str = "") -> list[Moment]:
    """Bob falls to one die by a wrong dudo, and calls calza on all dice again and again."""
    every = lambda number: bid(f"{number}x2")  # noqa: E731
    return game(
        ((2,) * 5, (2,) * 2),
        *((A, every(7)), (B, Dudo()), (A, SEEN), (B, SEEN)),
        *((B, every(1)), (A, every(6)), (B, Calza()), (A, SEEN), (B, SEEN)),
        *((B, every(1)), (A, every(7)), (B, Calza()), *last),
        by_clock=by_clock,
    )


def test_back_from_one_die_by_calzas() -> None:
    assert earned(back_from_one())["comeback"] == B
    assert "comeback" not in earned(back_from_one(by_clock="calza"))


def test_three_calzas() -> None:
    third = ((A, SEEN), (B, SEEN), (B, bid("1x2")), (A, bid("8x2")), (B, Calza()))
    assert "three_calzas" not in earned(back_from_one())
    assert earned(back_from_one(*third))["three_calzas"] == B
    assert "three_calzas" not in earned(back_from_one(*third, by_clock="calza"))


def duel(anna: Sequence[int], bob: Sequence[int], *, quantity: int = 3) -> dict[str, int]:
    """Bob, who has one die, bids sixes; Anna doubts it, which is the end of the game."""
    return earned(game((anna, bob, ()), (B, bid(f"{quantity}x6")), (A, Dudo()), opener=B))


def test_the_winner_has_won() -> None:
    assert duel((3, 3), (3,)) == {"first_win": A, "first_dudo": A}


def test_won_without_losing_a_die() -> None:
    assert duel((3,) * 5, (3,))["untouched"] == A


def test_won_on_the_last_die_by_a_single_die() -> None:
    assert duel((6,), (3,), quantity=2)["by_one_die"] == A
    assert "by_one_die" not in duel((3,), (3,), quantity=2), "two dice short"
    assert "by_one_die" not in duel((6, 3), (3,), quantity=2), "a die to spare"


@pytest.mark.parametrize(("many", "enough"), [(4, True), (3, False)])
def test_won_with_one_die_against_four(many: int, enough: bool) -> None:
    """Anna bids all the twos there are, Bob doubts it, until he has no dice left."""
    moves: list[tuple[int, Move]] = []
    for held in range(many, 0, -1):
        moves += [(A, bid(f"{held + 1}x2")), (B, Dudo())]
        if held > 1:
            moves += [(A, SEEN), (B, SEEN)]
            moves.append((B, bid("1x2")))
    found = earned(game(((2,), (2,) * many), *moves))
    assert found["first_win"] == A
    assert ("one_against_four" in found) == enough


def test_who_wins_because_the_others_left_has_won_nothing() -> None:
    assert earned(game(((2,) * 5, (3,) * 5), (B, Leave()))) == {}


def account(**values: Any) -> dict[str, Any]:
    errors = {"inaccuracies": 0, "mistakes": 0, "blunders": 0}
    return {"seat": B, "accuracy": 1.0, "decisions": 20, "boldest": None, **errors, **values}


def test_a_game_without_an_error_has_enough_decisions_that_were_judged() -> None:
    assert [each.key for each in marks.earned_by_review(account())] == ["no_error"]
    for other in (
        {"decisions": 19},
        {"accuracy": None},
        {"inaccuracies": 1},
        {"mistakes": 1},
        {"blunders": 1},
    ):
        assert marks.earned_by_review(account(**other)) == [], other


def test_a_bluff_that_was_believed() -> None:
    bluff = {"moment": 7, "chance": 0.09}
    [found] = marks.earned_by_review(account(boldest=bluff, decisions=1))
    assert (found.seat, found.key, found.moment) == (B, "believed", 7)
    assert marks.earned_by_review(account(boldest=bluff | {"chance": 0.11}, decisions=1)) == []
