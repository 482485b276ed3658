"""How long turns and pauses last: shorter at large tables, never very long."""

from __future__ import annotations

import pytest

from games.core.values import changed
from games.peco_peco import pace
from games.peco_peco.rules import SEATS
from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.rules.options import SLAP_WINDOW_MS, Options
from tests.games.contract.random_games import seeded
from tests.games.peco_peco.random_games import steps
from tests.games.peco_peco.tables import after, table

SLAP = "hands A[E] B[C,M] C[C] D[M]; top C; draw empty; turn A; clockwise; rule slap"


def test_turns_get_no_longer_with_more_players() -> None:
    seconds = [pace.turn_seconds(seats) or 0 for seats in SEATS]
    assert seconds == sorted(seconds, reverse=True) and seconds[-1] < seconds[0]
    bots = [pace.bot_seconds(seats) or 1.2 for seats in SEATS]
    assert bots == sorted(bots, reverse=True) and bots[-1] < bots[0]


@pytest.mark.parametrize("window", [SLAP_WINDOW_MS[0], 3000, SLAP_WINDOW_MS[-1]])
def test_the_window_is_that_of_the_table_and_bots_are_asked_within_it(window: int) -> None:
    state = table(SLAP, options=Options(slap_window_ms=window))
    assert pace.ask_bots_ms(state) is None
    declared = after(state, (0, Declare()))
    assert declared.phase == "claims"
    assert pace.window_ms(declared) == window
    asked = pace.ask_bots_ms(declared)
    assert asked is not None and 0 < asked < window
    assert pace.hold_ms(declared) == 0


def test_bots_wait_after_an_accusation_until_the_page_has_shown_what_came_of_it() -> None:
    """Caught or not, and in no other position of a round that has begun."""
    shown_seconds = 1.75  # the last animation of an accusation in moments.css
    text = "hands A[{}] B[M,C] C[M] D[C]; top E; draw C,C; turn A; clockwise; rule none"
    for held in ("M,E", "C,C"):
        start = table(text.format(held))
        declared = after(start, (0, Declare()))
        accused = after(declared, (1, Accuse()))
        assert pace.bot_patience(accused) * 1.2 >= shown_seconds
        others = (start, declared, after(accused, (1, Play("M"))), after(declared, (1, Declare())))
        assert [pace.bot_patience(other) for other in others] == [1, 1, 1, 1]
    large = changed(accused, seats=8)
    assert pace.bot_patience(large) * (pace.bot_seconds(8) or 0) >= shown_seconds


def test_the_end_of_every_round_is_shown_for_at_most_six_seconds() -> None:
    shown = set()
    for seed in range(3):
        for step in steps(seeded(seed)):
            if step.after.phase == "reveal":
                shown.add((step.after.result.winner is None, pace.reveal_ms(step.after)))
    assert shown and all(0 < length <= 6_000 for _defeat, length in shown)
