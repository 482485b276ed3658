"""The bots' tables for two players left: what they cover, know and say."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.core.chance import SeededChance
from games.perudo.bots import two_left_tables
from games.perudo.bots.two_left import chance_to_win, round_value, strategy
from games.perudo.bots.two_left_graph import ROUNDS
from games.perudo.bots.two_left_values import values
from games.perudo.rules.bids import PACO, Bid, matching
from games.perudo.rules.events import BidMade
from games.perudo.rules.evolve import evolve
from games.perudo.rules.moves import Dudo, Move
from games.perudo.rules.state import State
from games.perudo.rules.turns import legal_moves
from games.perudo.tests.best_reply import hands, known
from games.perudo.tests.random_games import choose
from games.perudo.tests.tables import after, table


def rounds(seed: int, count: int, **settings: Any) -> Iterator[State]:
    """Decisions of random rounds between two, at tables of two to six seats."""
    generator = random.Random(seed)  # noqa: S311
    chance = SeededChance(generator)
    for _ in range(count):
        seats = generator.randrange(2, 7)
        two = generator.sample(range(seats), 2)
        dice = [generator.randrange(1, 6) if seat in two else 0 for seat in range(seats)]
        palifico = two[0] if dice[two[0]] == 1 and generator.random() < 0.5 else None
        state = table([chance.dice(n) for n in dice], turn=two[0], palifico=palifico, **settings)
        while state.phase == "turn":
            yield state
            move = choose(legal_moves(state, state.turn), generator)
            if isinstance(move, Dudo):
                break
            state = evolve(state, BidMade(state.turn, move))


def test_a_strategy_is_of_legal_moves_and_sums_to_one() -> None:
    seen = 0
    for state in rounds(1, 500):
        mixed = strategy(state, state.turn)
        legal = legal_moves(state, state.turn)
        assert mixed is not None
        assert all(move in legal and share > 0 for move, share in mixed)
        assert len({move for move, _ in mixed}) == len(mixed)
        assert sum(share for _, share in mixed) == pytest.approx(1)
        seen += 1
    assert seen > 1500


@pytest.mark.slow
def test_the_hand_of_the_other_plays_no_part() -> None:
    chance = SeededChance(2)
    for state in rounds(2, 100):
        seat = state.turn
        sealed, dealt = (
            replace(
                state,
                hands=tuple(
                    hand if owner == seat or not hand else other(len(hand))
                    for owner, hand in enumerate(state.hands)
                ),
            )
            for other in (lambda dice: None, chance.dice)
        )
        assert strategy(sealed, seat) == strategy(dealt, seat) == strategy(state, seat)
        assert values(sealed, seat) == values(dealt, seat)


def test_the_order_of_dice_plays_no_part() -> None:
    assert strategy(table([[5, 3, 1], [2, 2]]), 0) == strategy(table([[1, 5, 3], [2, 2]]), 0)


def test_a_bid_beyond_the_dice_in_play_is_doubted() -> None:
    state = table([[6, 6], [6, 6], []], bid="5x6", bidder=0)
    assert strategy(state, 1) == [(Dudo(), 1.0)]
    worth = dict(values(state, 1) or [])
    assert worth[Dudo()] == 1
    assert worth[Bid(6, 6)] == 0
    assert worth[Bid(3, 1)] < 1


def test_pacos_over_a_bid_beyond_the_dice_are_answered() -> None:
    state = after(table([[1, 6, 2], [1, 6]]), (0, Bid(7, 6)), (1, Bid(4, 1)))
    assert sum(share for _, share in strategy(state, 0) or []) == pytest.approx(1)
    assert len(values(state, 0) or []) == len(legal_moves(state, 0))


# --- what is covered ------------------------------------------------------------------------------


TWO = ([1, 3], [4, 4], [])
SINGLE = ([3], [4, 4], [])


def test_other_rounds_are_not_covered() -> None:
    rounds = {
        "calza": (table(TWO, calza="on"), 0),
        "raises of any face": (table(TWO, raise_rule="any_face_if_more"), 0),
        "no palifico on pacos": (table(SINGLE, palifico=0, paco_opening="never"), 0),
        "three left": (table([[1], [2], [3]]), 0),
        "a seat gone": (table(TWO, gone=[1]), 0),
        "not on turn": (table(TWO), 1),
        "out": (table(TWO), 2),
        "a reveal": (after(table(TWO, bid="1x4"), (1, Dudo())), 1),
        "the answerer's palifico": (table(([3], [4], []), bid="1x4", palifico=1), 1),
    }
    found = {name: (strategy(*each), values(*each)) for name, each in rounds.items()}
    assert found == dict.fromkeys(rounds, (None, None))


def test_settings_that_change_nothing_here_are_covered() -> None:
    rounds = {
        "calza among three only": table(TWO, calza="on", calza_min_players=3),
        "an ordinary round": table(TWO, paco_opening="never"),
        "palifico keeps the face": table(SINGLE, palifico=0, raise_rule="any_face_if_more"),
        "lost dice hidden": table(TWO, lost_dice_visible=False),
    }
    assert [name for name, state in rounds.items() if not strategy(state, 0)] == []


def test_only_a_palifico_round_is_opened_on_pacos_or_plays_as_one() -> None:
    for palifico in (True, False):
        openings = [strategy(known((1, 3), palifico, (), hand), 0) or [] for hand in hands(1)]
        made = {move for mixed in openings for move, _ in mixed}
        assert any(isinstance(move, Bid) and move.face == PACO for move in made) == palifico
    locked = strategy(table([[1], [3, 3]], palifico=0, bid="1x3"), 1)
    assert locked and all(move == Dudo() or move.face == 3 for move, _ in locked)


# --- values ---------------------------------------------------------------------------------------


def played_out(dice: tuple[int, int], course: tuple[Bid, ...], held: Any, me: int) -> float:
    """The probability that `me` keeps the die when both play the table, for these two hands."""
    mover = len(course) % 2
    total = 0.0
    for move, share in strategy(known(dice, False, course, held[mover]), mover) or []:
        total += share * after_move(dice, course, held, me, move)
    return total


def after_move(dice: Any, course: tuple[Bid, ...], held: Any, me: int, move: Move) -> float:
    if isinstance(move, Bid):
        return played_out(dice, (*course, move), held, me)
    bid = course[-1]
    true = matching(held[0] + held[1], bid.face, palifico=False) >= bid.quantity
    loser = len(course) % 2 if true else 1 - len(course) % 2
    return float(loser != me)


def test_values_are_those_of_playing_on_by_the_table(subtests: pytest.Subtests) -> None:
    for dice, course, hand in (
        ((1, 1), (), (4,)),
        ((1, 2), (Bid(1, 5),), (2, 5)),
        ((2, 1), (Bid(1, 5), Bid(1, 6)), (1, 2)),
        ((2, 2), (Bid(1, 5), Bid(2, 5), Bid(1, 1)), (3, 5)),
    ):
        with subtests.test(dice=dice):
            assert_played_out_values(dice, course, hand)


def assert_played_out_values(
    dice: tuple[int, int], course: tuple[Bid, ...], hand: tuple[int, ...]
) -> None:
    me = len(course) % 2
    weight = hands(dice[1 - me])
    for at in range(1 - me, len(course), 2):  # the range of the other, with 2 % of slips
        for other in weight:
            state = known(dice, False, course[:at], other)
            share = dict(strategy(state, state.turn) or []).get(course[at], 0)
            possible = [
                move for move in legal_moves(state, state.turn)
                if move == Dudo() or move.quantity <= sum(dice)
            ]  # fmt: skip
            weight[other] *= 0.98 * share + 0.02 / len(possible)
    state = known(dice, False, course, hand)
    worth = values(state, me)
    assert worth is not None and [move for move, _ in worth] == legal_moves(state, me)
    for move, share in worth:
        expected = sum(
            chance * after_move(dice, course, (hand, other) if me == 0 else (other, hand), me, move)
            for other, chance in weight.items()
        )
        assert share == pytest.approx(expected / sum(weight.values()), abs=1e-9)


def test_every_legal_move_has_a_value() -> None:
    for state in rounds(3, 60):
        worth = values(state, state.turn)
        assert worth is not None
        assert [move for move, _ in worth] == legal_moves(state, state.turn)
        assert all(-1e-9 <= share <= 1 + 1e-9 for _, share in worth)


def test_the_values_of_all_openings_make_up_that_of_the_round() -> None:
    for dice in ((1, 1), (2, 1), (2, 3)):
        total = 0.0
        for hand, chance in hands(dice[0]).items():
            state = known(dice, False, (), hand)
            worth = dict(values(state, 0) or [])
            total += chance * sum(share * worth[move] for move, share in strategy(state, 0) or [])
        assert total == pytest.approx(round_value(*dice), abs=1e-4), dice


# --- chances --------------------------------------------------------------------------------------


def test_chances_of_a_match_follow_from_those_of_rounds() -> None:
    one = round_value(1, 1)
    assert chance_to_win(1, 1, True) == pytest.approx(one)
    assert chance_to_win(1, 1, False) == pytest.approx(1 - one)
    assert chance_to_win(0, 3, True) == 0
    assert chance_to_win(3, 0, False) == 1
    kept = round_value(2, 1)  # then the other is out; else I open my palifico round
    assert chance_to_win(2, 1, True) == pytest.approx(kept + (1 - kept) * round_value(1, 1, True))
    kept = round_value(1, 2)  # then the other opens its palifico round; else I am out
    assert chance_to_win(1, 2, True) == pytest.approx(kept * (1 - round_value(1, 1, True)))


def test_chances_of_both_sum_to_one_and_grow_with_dice() -> None:
    for mine, others, opens in product(range(1, 6), range(1, 6), (True, False)):
        chance = chance_to_win(mine, others, opens)
        assert chance + chance_to_win(others, mine, not opens) == pytest.approx(1)
        if mine > 1:
            assert chance > chance_to_win(mine - 1, others, opens)


def test_a_palifico_round_is_of_one_die() -> None:
    with pytest.raises(KeyError):
        round_value(2, 2, palifico=True)


# --- the file -------------------------------------------------------------------------------------


def test_the_file_is_what_it_says_it_is() -> None:
    told = two_left_tables.about()
    stored = two_left_tables.stored()
    assert told["version"] == two_left_tables.VERSION
    assert told["sha256"] == two_left_tables.checksum(sorted(stored.items()))
    assert told["command"] == "python -m lab.solve_two_left"
    assert list(told["rounds"]) == [str(each) for each in ROUNDS]
    assert {name.rpartition(".")[0] for name in stored} == set(told["rounds"])
    assert two_left_tables.FILE.stat().st_size < 5_000_000


def test_another_file_has_another_checksum() -> None:
    stored = two_left_tables.stored()
    changed = stored | {"1v1.move": stored["1v1.move"][::-1]}
    checksum = two_left_tables.checksum
    assert checksum(sorted(changed.items())) != checksum(sorted(stored.items()))


def test_nothing_is_read_before_it_is_needed() -> None:
    watched = (
        "import sys; opened = []; "
        "sys.addaudithook(lambda event, args: event == 'open' and opened.append(str(args[0]))); "
        "import games.perudo.bots.two_left_values; "
        "sys.exit(any('two_left.npz' in name for name in opened))"
    )
    assert subprocess.run([sys.executable, "-c", watched], check=False).returncode == 0
