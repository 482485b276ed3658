"""How long turns and pauses last: shorter at large tables, never very long."""

from __future__ import annotations

from typing import Any

import pytest

from games.peco_peco import pace, rules
from games.peco_peco.rules import SEATS
from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.rules.options import SLAP_WINDOW_MS, Options
from games.peco_peco.tests.arranged import Table, person
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import after, table
from games.play import deadlines
from games.play.tempo import TEMPOS
from games.rendering.common import seats_of
from tests.games.contract.random_games import seeded

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
    shown_ms = 1_750  # the last animation of an accusation in moments.css
    text = "hands A[{}] B[M,C] C[M] D[C]; top E; draw C,C; turn A; clockwise; rule none"
    for held in ("M,E", "C,C"):
        start = table(text.format(held))
        declared = after(start, (0, Declare()))
        accused = after(declared, (1, Accuse()))
        assert pace.bots_wait_ms(accused) >= shown_ms + 500  # to read it
        others = (start, declared, after(accused, (1, Play("M"))), after(declared, (1, Declare())))
        assert [pace.bots_wait_ms(other) for other in others] == [0, 0, 0, 0]


@pytest.mark.django_db
@pytest.mark.parametrize("usual", [0.0, 1.2, 4.0])
@pytest.mark.parametrize("key", TEMPOS)
@pytest.mark.parametrize("seats", [4, 8])
def test_no_bot_moves_before_an_accusation_can_be_read(
    settings: Any, usual: float, key: str, seats: int
) -> None:
    """At any tempo, however long bots take on this site, and however chance varies it."""
    settings.BOT_SECONDS = usual
    table = Table([person()], ["F12"], bots=["easy"] * (seats - 1))
    table.start_round({}, top="E")
    table.move(0, Declare())
    before = times_to_think(table, key)
    table.move(1, Accuse())
    assert table.state.turn == 1, "the bot that accused has still to answer"
    after_it = times_to_think(table, key)
    assert min(after_it) >= 2.5
    assert after_it == [max(2.5, seconds) for seconds in before], "nothing else holds bots back"


def times_to_think(table: Table, key: str) -> list[float]:
    """How many seconds the bot on turn may take at a hundred tables in this position."""
    game, state = table.game, table.state
    waiting, found = rules.waiting(state), []
    for number in range(100):
        game.code, game.seq, game.tempo = f"table{number}", 7, key  # what the variation rests on
        deadlines.set_deadlines(game, seats_of(game), state, waiting, now=table.now)
        assert game.due_at is not None
        found.append((game.due_at - table.now).total_seconds())
    return found


def test_the_end_of_every_round_is_shown_for_at_most_six_seconds() -> None:
    shown = set()
    for seed in range(3):
        for step in steps(seeded(seed)):
            if step.after.phase == "reveal":
                shown.add((step.after.result.winner is None, pace.reveal_ms(step.after)))
    assert shown and all(0 < length <= 6_000 for _defeat, length in shown)
