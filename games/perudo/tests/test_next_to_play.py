"""Whom a table names as next to play: the next seat clockwise with dice (P3)."""

from __future__ import annotations

from games.contract.shown import Player
from games.perudo.rules.moves import Dudo
from games.perudo.rules.state import State
from games.perudo.scene import of_state
from games.perudo.tests.tables import after, table


def next_seat(state: State) -> int | None:
    players = [
        Player(
            number=seat,
            name=f"P{seat}",
            username=None,
            avatar={},
            is_bot=False,
            bot="",
            asleep=False,
            away=False,
            gone=False,
            stood_in=False,
        )
        for seat in range(state.seats)
    ]
    found = of_state(state, players, narration="").next
    return None if found is None else found.number


def test_the_next_seat_clockwise_is_next() -> None:
    hands = [[2], [3], [4], [5]]
    assert [next_seat(table(hands, turn=turn)) for turn in range(4)] == [1, 2, 3, 0]


def test_a_seat_without_dice_is_passed_over() -> None:
    assert next_seat(table([[2], [], [], [5]], turn=0)) == 3


def test_nobody_is_next_while_the_cups_are_up_or_after_the_end() -> None:
    reveal = after(table([[2, 2], [3, 3], [4]], bid="9x2"), (1, Dudo()))
    over = after(table([[2], [3], []], bid="9x2"), (1, Dudo()))
    assert (reveal.phase, over.phase) == ("reveal", "over")
    assert next_seat(reveal) is next_seat(over) is None
