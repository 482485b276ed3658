"""How long turns and pauses last: shorter at large tables, never very long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from games.contract.game_values import RecordedFact
from games.core.contract import Fact
from games.models import Game
from games.peco_peco import pace, rules
from games.peco_peco.rules import SEATS
from games.peco_peco.rules.events import BluffAdmitted, Declared, HonestyShown
from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.rules.options import SLAP_WINDOW_MS, Options
from games.peco_peco.tests.arranged import Table, person
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import after, table
from games.play import commands, deadlines
from games.play.tempo import TEMPOS
from games.store import event_log, versioned_lru
from games.table.common import seats_of
from tests.games.contract.random_games import seeded

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SLAP = "hands A[E] B[C,M] C[C] D[M]; top C; draw empty; turn A; clockwise; rule slap"


def test_turns_get_no_longer_with_more_players() -> None:
    seconds = [pace.turn_seconds(seats) or 0 for seats in SEATS]
    assert seconds == sorted(seconds, reverse=True) and seconds[-1] < seconds[0]
    bots = [pace.bot_seconds(seats) or 1.2 for seats in SEATS]
    assert bots == sorted(bots, reverse=True) and bots[-1] < bots[0]


def test_the_window_is_that_of_the_table_and_bots_are_asked_within_it(
    subtests: pytest.Subtests,
) -> None:
    for window in [SLAP_WINDOW_MS[0], 3000, SLAP_WINDOW_MS[-1]]:
        with subtests.test(window=window):
            state = table(SLAP, options=Options(slap_window_ms=window))
            assert pace.ask_bots_ms(state) is None
            declared = after(state, (0, Declare()))
            assert declared.phase == "claims"
            assert pace.window_ms(declared) == window
            asked = pace.ask_bots_ms(declared)
            assert asked is not None and 0 < asked < window
            assert pace.hold_ms(declared) == 0


@pytest.mark.parametrize("outcome", [BluffAdmitted(1, 0), HonestyShown(1, 0, ("C",))])
def test_an_accusation_is_shown_for_three_seconds_to_a_person_in_it(outcome: Fact) -> None:
    """Caught or not; less where bots accuse each other, and never longer than that."""
    shown_ms = 1_750  # the last animation of an accusation in moments.css
    since = [RecordedFact(1, NOON, Declared(0)), RecordedFact(2, NOON, outcome)]
    waits = {
        people: [
            pace.bots_wait_ms(since, people, now=NOON + timedelta(seconds=after))
            for after in (-3_600, 0, 1, 2.75, 3)
        ]
        for people in ((0,), (1,), (0, 1, 2), (2, 3), ())
    }
    for people in ((0,), (1,), (0, 1, 2)):
        assert waits[people] == [3_000, 3_000, 2_000, 250, 0]
    for people in ((2, 3), ()):
        assert waits[people] == [2_500, 2_500, 1_500, 0, 0]
        assert waits[people][1] >= max(1_800, shown_ms + 500)  # to read it
    assert pace.bots_wait_ms(since[:1], (0, 1, 2, 3), now=NOON) == 0
    assert pace.bots_wait_ms((), (0, 1, 2, 3), now=NOON) == 0


@pytest.mark.django_db
@pytest.mark.parametrize("seats", [4, 8])
@pytest.mark.parametrize(("people", "least"), [(1, 3.0), (0, 2.5)])
def test_no_bot_moves_before_an_accusation_can_be_read(
    settings: Any, seats: int, people: int, least: float, subtests: pytest.Subtests
) -> None:
    """At any tempo, however long bots take on this site, and however chance varies it."""
    table = accusable(seats, people)
    before = {}
    for usual, key in product((0.0, 1.2, 4.0), TEMPOS):
        settings.BOT_SECONDS = usual
        before[usual, key] = times_to_think(table, key)
    table.move(1, Accuse())
    assert table.state.turn == 1, "the bot that accused has still to answer"
    for (usual, key), usually in before.items():
        settings.BOT_SECONDS = usual
        with subtests.test(usual=usual, key=key):
            after_it = times_to_think(table, key)
            assert min(after_it) >= least
            held_back = [max(least, seconds) for seconds in usually]
            assert after_it == held_back, "nothing else holds bots back"


@pytest.mark.django_db
def test_the_scheduler_plays_no_bot_before_that_and_then_it_does(
    subtests: pytest.Subtests,
) -> None:
    """Caught or honest, at the same instant: the delay tells nothing."""
    for key, held in product(TEMPOS, ("M E E C", "C C M E")):
        with subtests.test(key=key, held=held):
            table = accusable(4, 1, held=held, key=key)
            table.move(1, Accuse())
            settled = table.game.seq
            for seconds in (0.1, 1.8, 2.9):
                commands.play_due(table.code, now=table.now + timedelta(seconds=seconds))
                assert table.game.seq == settled
            commands.play_due(table.code, now=table.now + timedelta(seconds=9))
            assert table.game.seq > settled


@pytest.mark.django_db
def test_a_person_may_move_on_at_once_and_the_bot_after_them_still_waits(
    settings: Any, subtests: pytest.Subtests
) -> None:
    settings.BOT_SECONDS = 0.0
    for key, (seconds, rest) in product(TEMPOS, ((0.5, 2.5), (2, 1), (5, 0))):
        with subtests.test(key=key, seconds=seconds):
            table = accusable(4, 2, key=key)
            table.move(1, Accuse())
            table.move(1, Declare(), after=seconds)
            assert (table.state.turn, table.state.declarer) == (2, 1)
            assert set(times_to_think(table, key)) == {rest}


@pytest.mark.django_db
def test_nobody_loses_time_to_think_to_an_accusation(subtests: pytest.Subtests) -> None:
    for key in TEMPOS:
        with subtests.test(key=key):
            table = accusable(4, 2, key=key)
            whole = timedelta(seconds=table.game.turn_seconds or 0)
            table.move(1, Accuse())
            assert table.game.turn_ends_at == table.now + timedelta(seconds=3) + whole
            table.move(1, Declare())
            assert table.game.due_at is not None and table.game.due_at < table.now + whole
            people = accusable(4, 4, key=key)
            people.move(1, Accuse())
            people.move(1, Declare(), after=1)
            assert people.game.turn_ends_at == people.now + timedelta(seconds=2) + whole


@pytest.mark.django_db
def test_bots_slap_nobody_while_the_accusation_before_is_shown(
    settings: Any, subtests: pytest.Subtests
) -> None:
    """The window begins when it has been shown: nobody has less of it, and no bot is faster."""
    settings.BOT_SECONDS = 0.0
    for key, window in product(TEMPOS, (SLAP_WINDOW_MS[0], 3_000)):
        with subtests.test(key=key, window=window):
            table = accusable(4, 2, key=key, stake="F03", slap_window_ms=window)
            table.move(1, Accuse())
            table.move(1, Declare(), after=0.5)
            assert table.state.phase == "claims"
            shown = table.now + timedelta(seconds=2.5)
            assert table.game.due_at == shown + timedelta(milliseconds=window / 2)
            assert table.game.turn_ends_at == shown + timedelta(milliseconds=window)


@pytest.mark.django_db
def test_a_round_that_an_accusation_ends_stays_as_long(
    settings: Any, subtests: pytest.Subtests
) -> None:
    """Without mercy the last who had to answer is out, and nobody has played."""
    settings.REVEAL_SECONDS = 1
    for key in TEMPOS:
        with subtests.test(key=key):
            table = Table([person() for _ in range(4)], ["F13"])
            Game.objects.filter(code=table.code).update(tempo=key)
            table.start_round({2: "C C E C"}, top="E")
            for seat in range(3):
                table.move(seat, Declare())
            table.move(3, Accuse())
            assert table.state.phase == "reveal"
            assert table.game.due_at is not None
            assert table.game.due_at >= table.now + timedelta(seconds=3)


def accusable(
    seats: int,
    people: int,
    *,
    held: str = "",
    key: str = "normal",
    stake: str = "F12",
    **options: Any,
) -> Table:
    """The starter has declared; so many people sit first, then bots.

    Without any, the host, who opened the table, has been replaced by a bot.
    """
    bots = ["easy"] * (seats - max(people, 1))
    table = Table([person() for _ in range(max(people, 1))], [stake], bots=bots, **options)
    Game.objects.filter(code=table.code).update(tempo=key)
    table.start_round({0: held} if held else {}, top="E")
    table.move(0, Declare())
    if not people:
        table.game.seat_set.update(asleep=True)
        versioned_lru.clear_all()
    return table


def times_to_think(table: Table, key: str) -> list[float]:
    """How many seconds the bot on turn may take at a hundred tables in this position."""
    game, known = table.game, event_log.known(table.game)
    waiting, found = rules.waiting(known.state), []
    for number in range(100):
        game.code, game.seq, game.tempo = f"table{number}", 7, key  # what the variation rests on
        deadlines.set_deadlines(game, seats_of(table.game), known, waiting, now=table.now)
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
