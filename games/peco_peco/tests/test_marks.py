"""The marks of Peco Peco: positions that earn each of them, and those that just miss it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.contract.game_values import ReplayMove
from games.core.contract import Fact, fold
from games.peco_peco import marks, replay, rules
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    HonestyShown,
    RoundEnded,
    RoundStarted,
)
from games.peco_peco.rules.turns import is_bluff, is_playable
from games.peco_peco.tests.fast_games import played_game
from games.peco_peco.tests.tables import table

EVENING = datetime(2026, 11, 20, 20, tzinfo=UTC)
# An elephant beats the cat: Anna holds four cards that do, Bob one of two, Carla none.
POSITION = "hands A[E,E,E,E] B[E,C] C[M,M]; top C; draw E,C,M; turn A; clockwise; rule none"
ANNA, BOB, CARLA = Declared(0), Declared(1), Declared(2)


def steps(*facts: Fact, by_clock: bool = False, number: int = 3) -> list[Moment]:
    """The moments of these facts in the round `number`; `by_clock`: no person moved themselves."""
    state = replace(table(POSITION), number=number)
    moments = [Moment(EVENING, (RoundStarted(number, state.stake_id, 0),), state)]
    for fact in facts:
        move, bluff = None, False
        match fact:
            case CardPlayed(seat):
                move = ReplayMove(seat, "play", {}, 0.0, by_clock)
            case Declared(seat):
                hand, bluff = state.hand(seat), is_bluff(state, seat)
                fits = sum(is_playable(state, card) for card in hand)
                move = ReplayMove(seat, "pass", {"fits": fits, "held": len(hand)}, 0.0, by_clock)
            case BluffAdmitted(seat) | HonestyShown(seat):
                move = ReplayMove(seat, "accuse", {}, 0.0, by_clock)
        state = fold(rules, [fact], state)
        moments.append(Moment(EVENING, (fact,), state, bluff, move))
    return moments


def earned(moments: Sequence[Moment]) -> dict[str, int]:
    """Who earned which mark."""
    found = marks.earned(moments)
    assert all(1 <= each.moment <= len(moments) for each in found)
    assert len({(each.seat, each.key) for each in found}) == len(found)
    return {each.key: each.seat for each in found}


def of(*facts: Fact, by_clock: bool = False) -> dict[str, int]:
    return earned(steps(*facts, by_clock=by_clock))


END = RoundEnded(None)


def test_a_bluff_that_was_not_caught() -> None:
    assert of(BOB, END) == {"first_bluff": 1}
    assert of(CARLA, END) == {}, "Carla told the truth"
    assert of(BOB, BluffAdmitted(2, 1), END) == {"first_catch": 2}
    assert of(BOB, END, by_clock=True) == {}
    assert of(BOB, BluffAdmitted(2, 1), END, by_clock=True) == {}


def test_a_bluff_with_a_hand_that_fits_wholly() -> None:
    assert of(ANNA, END) == {"first_bluff": 0, "full_hand": 0}
    assert "full_hand" not in of(ANNA, BluffAdmitted(1, 0), END)


def test_eight_bluffs_in_a_row() -> None:
    assert of(*[BOB] * 8, END)["bluffs"] == 1
    assert "bluffs" not in of(*[BOB] * 7, END)
    played = CardPlayed(1, "C", False)
    assert "bluffs" not in of(*[BOB] * 4, played, *[BOB] * 4, END), "a card ends the row"
    caught = BluffAdmitted(2, 1)
    assert "bluffs" not in of(*[BOB] * 4, caught, *[BOB] * 4, END), "as does being caught"
    first, then = steps(*[BOB] * 4, END), steps(*[BOB] * 4, END, number=4)
    assert "bluffs" not in earned([*first, *then]), "and the end of the round"


def test_five_bluffs_caught_in_a_round() -> None:
    catches = [BOB, BluffAdmitted(2, 1)]
    assert of(*catches * 5, END)["catches"] == 2
    assert "catches" not in of(*catches * 4, END)
    two_rounds = [*steps(*catches * 4, END), *steps(*catches * 4, END, number=4)]
    assert "catches" not in earned(two_rounds)


def test_accused_four_times_in_a_round_and_always_honest() -> None:
    accused = [CARLA, HonestyShown(1, 2, ("M", "M"))]
    assert of(*accused * 4, END) == {"wrongly_accused": 2}
    assert of(*accused * 3, END) == {}


def test_caught_three_times_and_won_the_round() -> None:
    caught = [BOB, BluffAdmitted(2, 1)]
    assert of(*caught * 3, RoundEnded(1))["caught_and_won"] == 1
    assert "caught_and_won" not in of(*caught * 2, RoundEnded(1))
    assert "caught_and_won" not in of(*caught * 3, RoundEnded(0))


def rounds(*winners: int | None) -> list[Moment]:
    found = [steps(RoundEnded(winner), number=n) for n, winner in enumerate(winners, start=1)]
    return [moment for each in found for moment in each]


def test_three_rounds_in_a_row() -> None:
    assert earned(rounds(0, 1, 1, 1)) == {"three_rounds": 1}
    assert earned(rounds(1, 1, 0, 1)) == {}
    assert earned(rounds(None, None, None, 1, 1)) == {}, "nobody's rounds are no row"
    assert earned(rounds(1, 1, None, 1)) == {}


def won(*facts: Fact, reason: str = "set", number: int = 3) -> dict[str, int]:
    """What was earned in a game that Carla won."""
    return earned(steps(*facts, RoundEnded(2), GameEnded(reason), number=number))


def test_the_winner_has_won_with_a_set_within_six_rounds() -> None:
    assert won(number=6) == {"first_win": 2, "set_menu": 2}
    assert won(number=7) == {"first_win": 2}
    assert "set_menu" not in won(reason="pile")
    assert won(reason="others_left") == {}


def test_the_winner_told_the_truth_all_the_time() -> None:
    assert won(CARLA, number=9) == {"first_win": 2, "no_bluff": 2}
    before = steps(ANNA, RoundEnded(2), number=1)
    after = steps(CARLA, RoundEnded(0), GameEnded("set"), number=9)
    assert "no_bluff" not in earned([*before, *after]), "Anna bluffed once"


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_moments_of_a_whole_game_show_what_was_earned(
    alice: User, bob: User, charlie: User, seed: int
) -> None:
    shown = replay.moments(played_game(alice, bob, charlie, "easy", seed=seed))
    found = marks.earned(shown)
    assert {each.key for each in found} >= {"first_win"}
    for each in found:
        facts = shown[each.moment - 1].facts
        if each.key == "first_catch":
            assert isinstance(facts[0], BluffAdmitted) and facts[0].accuser == each.seat
        if each.key in ("first_bluff", "full_hand", "bluffs"):
            assert facts[0] == Declared(each.seat) and shown[each.moment - 1].bluff


def test_no_mark_is_earned_by_a_review() -> None:
    """The judge of this game has no values of moves."""
    account = {"seat": 0, "accuracy": None, "decisions": 90, "boldest": {"chance": 0.0}}
    assert marks.earned_by_review(account) == []
