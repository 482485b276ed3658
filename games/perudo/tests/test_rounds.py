"""A game from its first roll to its last die: P1 to P9, P18 to P22 and P49."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from games.core.chance import ScriptedChance
from games.core.contract import Fact, Outcome
from games.core.moves import Confirm
from games.perudo.rules.bids import Bid
from games.perudo.rules.decide import decide
from games.perudo.rules.events import GameStarted, Revealed, Rolled, RoundStarted, StarterRolled
from games.perudo.rules.evolve import evolve
from games.perudo.rules.moves import Dudo
from games.perudo.rules.options import Options
from games.perudo.rules.outcome import outcome
from games.perudo.rules.rounds import start
from games.perudo.rules.state import State, finished_round
from games.perudo.rules.turns import legal_moves, to_act
from games.perudo.tests.tables import ANY_DICE, after, next_round, refusal, table


def started(seats: int, *numbers: int, **settings: str) -> tuple[list[Fact], State]:
    """A game whose outcomes of chance begin with these numbers."""
    options = Options(**settings)  # type: ignore[arg-type]
    facts = start(seats, options, ScriptedChance(chain(numbers, repeat(2))))
    state = None
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None
    return facts, state


# --- the start -----------------------------------------------------------------------------------


def test_two_to_six_players_begin_with_five_dice_each(subtests: pytest.Subtests) -> None:
    """P1, P2."""
    for seats in range(2, 7):
        with subtests.test(seats=seats):
            facts, state = started(seats, 0)
            assert state.dice == (5,) * seats
            assert [fact.only for fact in facts if isinstance(fact, Rolled)] == list(range(seats))


def test_any_other_number_of_players_is_refused(subtests: pytest.Subtests) -> None:
    """P1."""
    for seats in [-1, 0, 1, 7, 100]:
        with subtests.test(seats=seats), pytest.raises(ValueError, match=f"not {seats}"):
            start(seats, Options(), ANY_DICE)


def test_the_first_opener_is_drawn() -> None:
    """P4, `random`."""
    facts, state = started(4, 2)
    assert [type(fact) for fact in facts[:2]] == [GameStarted, RoundStarted]
    assert state.turn == state.opener == 2


def test_the_highest_single_die_opens_and_a_paco_counts_one() -> None:
    """P4, `one_die`: the tied roll again."""
    facts, state = started(3, 1, 6, 6, 1, 2, starter="one_die")
    rolls = [fact.rolls for fact in facts if isinstance(fact, StarterRolled)]
    assert rolls == [((0, (1,)), (1, (6,)), (2, (6,))), ((1, (1,)), (2, (2,)))]
    assert state.opener == 2
    assert state.starter_rolls == tuple(rolls)


def test_a_table_of_equal_rolls_rolls_again_whole() -> None:
    """P4."""
    facts, state = started(2, 3, 3, 4, 4, 5, 6, starter="one_die")
    assert sum(isinstance(fact, StarterRolled) for fact in facts) == 3
    assert state.opener == 1


def test_rolls_are_kept_sorted_so_that_their_order_tells_nothing() -> None:
    """P6."""
    facts, _ = started(2, 0, 6, 1, 3, 1, 2)
    assert Rolled(0, (1, 1, 2, 3, 6)) in facts


def test_the_winner_of_the_game_before_has_no_right_to_open() -> None:
    """P4 holds for every game."""
    opened = start(4, Options(), ScriptedChance(chain([2], repeat(2))), starter=1)
    assert opened == start(4, Options(), ScriptedChance(chain([2], repeat(2))))


# --- turns ---------------------------------------------------------------------------------------


def test_play_goes_to_the_left_and_skips_eliminated_seats() -> None:
    """P3, P8."""
    state = table([[2], [], [2, 2], [], [3]], turn=0)
    state = after(state, (0, Bid(1, 2)))
    assert to_act(state) == (2,)
    state = after(state, (2, Bid(2, 2)), (4, Bid(3, 2)))
    assert to_act(state) == (0,)


def test_the_opener_must_bid() -> None:
    """P7."""
    state = table([[2, 2], [3, 3]])
    assert refusal(state, 0, Dudo()) == "no_bid"
    assert {type(move) for move in legal_moves(state, 0)} == {Bid}


def test_the_next_player_raises_or_doubts() -> None:
    """P8: there is no pass."""
    state = table([[2, 2], [3, 3]], bid="1x2")
    assert {type(move) for move in legal_moves(state, 1)} == {Bid, Dudo}
    assert refusal(state, 1, Confirm()) == "nothing_to_confirm"


def test_nobody_moves_out_of_turn() -> None:
    """P18."""
    state = table([[2, 2], [3, 3], [4, 4]], bid="1x2")
    codes = [refusal(state, seat, move) for seat in (0, 2) for move in (Bid(2, 2), Dudo())]
    assert codes == ["not_your_turn"] * 4


def test_a_bid_may_be_a_bluff() -> None:
    """P9."""
    assert refusal(table([[2, 2], [3, 3]]), 0, Bid(10, 6)) is None


def test_the_highest_bid_can_only_be_doubted() -> None:
    """P9: with nothing left to bid a move must still be possible."""
    state = table([[2, 2], [3, 3]], bid="10xP")
    assert legal_moves(state, 1) == [Dudo()]


def test_a_seat_that_is_not_at_the_table_is_a_mistake_of_the_caller(
    subtests: pytest.Subtests,
) -> None:
    for seat in [-1, 2, 99]:
        with subtests.test(seat=seat), pytest.raises(ValueError, match="there is no seat"):
            decide(table([[2], [3]]), seat, Bid(1, 2), ANY_DICE)


# --- the reveal ----------------------------------------------------------------------------------


def test_a_doubt_costs_the_bidder_a_die_when_too_few_match_and_else_the_doubter(
    subtests: pytest.Subtests,
) -> None:
    """P20: four match."""
    for bid, loser in [("3x2", 1), ("4x2", 1), ("5x2", 0)]:
        with subtests.test(bid=bid):
            state = after(table([[2, 2, 3], [1, 2, 6]], bid=bid), (1, Dudo()))
            assert state.result is not None
            assert (state.result.count, state.result.loser) == (4, loser)
            assert state.dice[loser] == 2


def test_a_reveal_shows_every_hand_with_its_owner() -> None:
    """P19."""
    facts = decide(table([[2, 2], [], [1, 3]], bid="1x2"), 2, Dudo(), ANY_DICE)
    assert facts[0] == Revealed("dudo", 2, ((2, 2), (), (1, 3)), 3)


def test_a_finished_round_has_all_that_its_history_needs() -> None:
    state = after(table([[2, 2], [3, 3]], bid="1x2"), (1, Bid(3, 2)), (0, Dudo()))
    ended = finished_round(state)
    assert ended is not None
    assert (ended.bidder, ended.bid, ended.call, ended.caller) == (1, Bid(3, 2), "dudo", 0)
    assert ended.hands == ((2, 2), (3, 3))
    assert finished_round(next_round(state)) is None


def test_the_loser_opens_the_next_round_with_the_dice_that_are_left() -> None:
    """P22."""
    state = next_round(after(table([[2, 2, 3], [3, 3, 3]], bid="6x2"), (1, Dudo())))
    assert (state.number, state.opener, state.turn) == (2, 0, 0)
    assert [len(state.hand(seat)) for seat in (0, 1)] == [2, 3]
    assert state.bids == ()


def test_when_the_loser_is_out_the_next_seat_opens() -> None:
    """P21, P22: left skips who was out before."""
    state = after(table([[3, 3], [2], [], [4, 4]], bid="9x2", bidder=1), (3, Dudo()))
    assert state.result is not None
    assert state.result.eliminated == (1,)
    assert state.out == (2, 1)
    assert next_round(state).opener == 3


def test_the_next_round_waits_until_all_have_confirmed() -> None:
    """P46."""
    state = after(table([[2, 2, 3], [3, 3], [4, 4]], bid="9x2"), (1, Dudo()))
    assert to_act(state) == (0, 1, 2)
    state = after(state, (1, Confirm()))
    assert (state.phase, to_act(state)) == ("reveal", (0, 2))
    assert refusal(state, 1, Confirm()) == "nothing_to_confirm"
    assert after(state, (0, Confirm()), (2, Confirm())).phase == "turn"


def test_nobody_bids_or_doubts_during_a_reveal() -> None:
    state = after(table([[2, 2, 3], [3, 3]], bid="9x2"), (1, Dudo()))
    assert refusal(state, 0, Bid(1, 2)) == refusal(state, 0, Dudo()) == "round_over"


def test_eliminated_seats_need_not_confirm() -> None:
    """P21."""
    state = after(table([[2], [3, 3], [4, 4]], bid="9x2"), (1, Dudo()))
    assert to_act(state) == (1, 2)
    assert refusal(state, 0, Confirm()) == "eliminated"


# --- the end -------------------------------------------------------------------------------------


def test_the_last_with_dice_wins_and_the_others_rank_in_reverse_order_of_going_out() -> None:
    """P49."""
    state = after(table([[2], [3, 3], [4]], bid="9x4", bidder=2), (0, Dudo()))
    state = after(next_round(state), (0, Bid(9, 2)), (1, Dudo()))
    assert outcome(state) == Outcome(ranking=((1,), (0,), (2,)), reason="last_with_dice")
    assert state.phase == "over"
    assert refusal(state, 1, Bid(1, 2)) == "game_over"
    assert refusal(state, 0, Dudo()) == "game_over"


def test_the_last_reveal_stays_visible() -> None:
    """P46: with the game over nobody is asked to confirm."""
    state = after(table([[2], [3]], bid="2x2"), (1, Dudo()))
    assert finished_round(state) is not None
    assert to_act(state) == ()
    assert refusal(state, 1, Confirm()) == "game_over"
