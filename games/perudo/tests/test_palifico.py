"""Palifico: who falls to one die opens a round with rules of its own (P23 to P32)."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

import pytest

from games.core.chance import ScriptedChance
from games.core.contract import fold
from games.core.moves import Leave
from games.perudo import rules
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.decide import decide
from games.perudo.rules.events import PalificoAnnounced
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims
from games.perudo.rules.options import Options
from games.perudo.rules.outcome import outcome
from games.perudo.rules.rounds import start
from games.perudo.rules.turns import legal_moves
from games.perudo.tests.tables import ANY_DICE, after, next_round, refusal, table

FALLS = [[2, 2], [3, 3, 3], [4, 4, 4]]


def test_falling_from_two_dice_to_one_is_announced() -> None:
    """P23."""
    facts = decide(table(FALLS, bid="9x2"), 1, Dudo(), ANY_DICE)
    assert facts[-1] == PalificoAnnounced(0)


def test_the_palifico_player_opens_the_next_round_and_only_that_one() -> None:
    """P24, P28, P32."""
    state = next_round(after(table(FALLS, bid="9x2"), (1, Dudo())))
    assert (state.palifico, state.opener) == (0, 0)
    state = next_round(after(state, (0, Bid(1, 2)), (1, Dudo())))
    assert state.palifico is None
    assert state.dice == (1, 2, 3)


def test_pacos_are_not_wild_in_a_palifico_round() -> None:
    """P25."""
    state = after(table([[2], [1, 1], [1, 2]], palifico=0, bid="3x2"), (1, Dudo()))
    assert state.result is not None
    assert state.result.count == 2


def test_nobody_changes_the_value_of_a_palifico_round(subtests: pytest.Subtests) -> None:
    """P26, P28: a player with one die has no special right either."""
    for seat in range(3):
        with subtests.test(seat=seat):
            state = table([[2], [3], [4, 4]], palifico=0, bid="1x2", bidder=(seat - 1) % 3)
            faces = {move.face for move in legal_moves(state, seat) if isinstance(move, Bid)}
            assert faces == {2}
            assert refusal(state, seat, Bid(2, 3)) == "face_locked"
            assert refusal(state, seat, Bid(2, PACO)) == "face_locked"


def test_a_palifico_round_may_be_opened_on_pacos_where_the_table_says_so() -> None:
    """P27."""
    assert refusal(table([[2], [3, 3]], palifico=0), 0, Bid(1, PACO)) is None
    never = table([[2], [3, 3]], palifico=0, paco_opening="never")
    assert refusal(never, 0, Bid(1, PACO)) == "paco_opening"


def test_a_wrong_calza_can_make_its_caller_palifico() -> None:
    """P24, P39."""
    state = table([[2, 2, 2], [3, 3, 3], [4, 4]], bid="9x2", calza="on")
    state = after(state, (2, Calza()), (2, SettleClaims()))
    assert state.announced == 2
    state = next_round(state)
    assert (state.palifico, state.opener) == (2, 2)


def test_falling_a_second_time_counts_where_the_table_says_so() -> None:
    """P29."""
    for times, announced in (("every_time", 0), ("once", None)):
        state = table(FALLS, bid="9x2", been_palifico=[0], palifico_repeat=times)
        assert after(state, (1, Dudo())).announced == announced, times


def test_two_players_play_palifico_unless_the_table_says_three() -> None:
    """P30."""
    for least, announced in ((2, 0), (3, None)):
        state = table([[2, 2], [3, 3]], bid="9x2", palifico_min_players=least)
        assert after(state, (1, Dudo())).announced == announced, least


def test_palifico_is_off_when_a_leaver_leaves_only_two() -> None:
    """P30."""
    state = after(table(FALLS, bid="9x2", palifico_min_players=3), (1, Dudo()))
    assert state.announced == 0
    state = next_round(after(state, (2, Leave())))
    assert (state.opener, state.palifico) == (0, None)


def test_no_palifico_is_announced_when_a_leaver_goes_out_and_leaves_only_two() -> None:
    """P30: who leaves in mid-round goes out with its end."""
    left = after(table(FALLS, bid="9x2", palifico_min_players=3), (2, Leave()))
    assert after(left, (1, Dudo())).announced is None


def test_no_round_is_palifico_when_its_player_leaves_before_it_begins() -> None:
    """P24: the seat to the left opens an ordinary round."""
    state = after(table(FALLS, bid="9x2"), (1, Dudo()), (0, Leave()))
    state = next_round(state)
    assert (state.opener, state.palifico) == (1, None)


def test_no_other_fall_is_palifico() -> None:
    """P23, P32."""
    from_three = table([[2, 2, 2], [3, 3]], bid="9x2")
    assert after(from_three, (1, Dudo())).announced is None
    to_none = table([[2], [3, 3], [3, 3]], bid="9x2")
    assert after(to_none, (1, Dudo())).announced is None


def test_at_most_one_seat_changes_its_dice_in_a_round() -> None:
    """P31."""
    state = after(table(FALLS, bid="9x2"), (1, Dudo()))
    assert state.dice == (1, 3, 3)


def test_a_leaver_who_falls_to_one_die_is_out_and_not_palifico() -> None:
    state = after(table(FALLS, bid="9x2"), (0, Leave()), (1, Dudo()))
    assert state.announced is None
    assert state.dice == (0, 3, 3)
    assert next_round(state).opener == 1


# --- a whole game ---------------------------------------------------------------------------------

BLUFF, HONEST = Bid(1, 3), Bid(1, 2)  # where every die falls on a two


class GameOfTwos:
    """A whole game of three in which every die falls on a two; seat 0 opens it."""

    def __init__(self, **settings: Any) -> None:
        first_roll = start(3, Options(**settings), ScriptedChance(chain([0], repeat(2))))
        self.state = fold(rules, first_roll)
        self.palificos: list[int | None] = []  # whose palifico each round from the second on is

    def play_round(self, *moves: tuple[int, Move]) -> None:
        self.state = after(self.state, *moves)
        if self.state.phase != "over":
            self.state = next_round(self.state)
            self.palificos.append(self.state.palifico)

    def bluff(self, seat: int, *, times: int) -> None:
        """The opener `seat` is caught with a false bid so many times, and loses a die each time."""
        for _ in range(times):
            self.play_round((seat, BLUFF), (self.state.left_of(seat), Dudo()))


@pytest.mark.parametrize(("rule", "second_fall"), [("every_time", 0), ("once", None)])
def test_a_whole_game_with_a_second_fall_to_one_die(rule: str, second_fall: int | None) -> None:
    """P29: seat 0 falls to one die, regains one by calza and falls again; the others fall too."""
    game = GameOfTwos(calza="on", palifico_repeat=rule)
    game.bluff(0, times=4)
    game.play_round((0, HONEST), (1, Dudo()))
    game.bluff(1, times=3)
    assert game.state.dice == (1, 1, 5)
    game.play_round((1, HONEST), (2, Bid(7, 2)), (0, Calza()))
    assert game.state.dice == (2, 1, 5)
    game.bluff(0, times=1)
    assert game.palificos == [None, None, None, 0, None, None, None, 1, None, second_fall]

    locked = "face_locked" if rule == "every_time" else None  # P26 holds in that round, or does not
    assert refusal(after(game.state, (0, HONEST)), 1, BLUFF) == locked
    game.play_round((0, HONEST), (1, Dudo()))
    game.bluff(2, times=4)
    assert game.palificos[-5:] == [None, None, None, None, 2]  # a first fall counts by either rule
    game.play_round((2, HONEST), (0, Dudo()))
    ended = outcome(game.state)
    assert ended is not None
    assert ended.ranking == ((2,), (0,), (1,))
