"""The slap window ends when nobody is left who could use it, and its timing says nothing of cards.

Bots decide from what their seat knows, all of them at one moment that does not depend on a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from games.core.moves import Leave
from games.models import Game, Seat
from games.peco_peco import bots
from games.peco_peco.rules.events import (
    BluffAdmitted,
    Declared,
    HonestyShown,
    SlapWaived,
    SlapWindowClosed,
)
from games.peco_peco.rules.moves import Accuse, Declare, Move, Waive
from games.peco_peco.rules.state import State
from games.peco_peco.tests.arranged import Table, person
from games.play import commands
from games.store import event_log, versioned_lru

pytestmark = pytest.mark.django_db

SLAP = "F03"
WINDOW_MS = 4_000
ASKED = WINDOW_MS / 2 / 1_000
BOTS_TURN = 1.2  # seconds, at a table of four or five


def declared(people: int = 1, bots: int = 3, hand: str = "E E C C", **hands: str) -> Table:
    """Seat 0 declares on a cat under the slap rule; `s2="C C M M"` is the hand of seat 2."""
    table = Table(
        [person() for _ in range(people)], [SLAP], bots=["medium"] * bots, slap_window_ms=WINDOW_MS
    )
    held = {int(seat[1:]): cards for seat, cards in hands.items()}
    table.start_round({0: hand} | held, top="C")
    table.move(0, Declare())
    assert table.state.phase == "claims"
    return table


def seconds(table: Table, moment: datetime | None) -> float:
    assert moment is not None
    return round((moment - table.now).total_seconds(), 3)


def scheduler_plays(table: Table) -> None:
    due = table.game.due_at
    assert due is not None
    table.now = due
    commands.play_due(table.code, now=due, chance=table.chance)


def kinds(table: Table) -> list[type]:
    facts = event_log.latest_public_facts(table.game)
    return [type(event.fact) for event in facts]


def bots_do(monkeypatch: pytest.MonkeyPatch, what: Callable[[State, int], Move | None]) -> None:
    monkeypatch.setitem(bots.BOTS, "medium", lambda state, seat, chance: what(state, seat))


def never(state: State, seat: int) -> Move | None:
    return None


def test_a_window_for_bots_alone_lasts_as_long_as_a_turn_of_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bots_do(monkeypatch, never)
    table = declared()
    assert seconds(table, table.game.due_at) == BOTS_TURN
    assert seconds(table, table.game.turn_ends_at) == WINDOW_MS / 1_000
    scheduler_plays(table)
    assert (table.state.phase, table.state.turn) == ("turn", 1)
    assert kinds(table) == [SlapWindowClosed]


def test_a_person_has_the_whole_window(monkeypatch: pytest.MonkeyPatch) -> None:
    bots_do(monkeypatch, never)
    table = declared(people=2, bots=2)
    assert seconds(table, table.game.due_at) == ASKED
    scheduler_plays(table)
    assert table.state.phase == "claims"
    assert seconds(table, table.game.due_at) == ASKED
    scheduler_plays(table)
    assert table.state.phase == "turn"


def test_a_person_who_waives_after_the_bots_were_asked_ends_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bots_do(monkeypatch, never)
    table = declared(people=2, bots=2)
    scheduler_plays(table)
    table.now -= timedelta(seconds=2)  # `move` thinks for three: one after the bots
    table.move(1, Waive())
    assert (table.state.phase, table.state.turn) == ("turn", 1)
    assert kinds(table) == [SlapWaived, SlapWindowClosed]


def test_a_person_who_waives_earlier_waits_for_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    bots_do(monkeypatch, lambda state, seat: Accuse() if seat == 2 else None)
    table = declared(people=2, bots=2)
    table.now -= timedelta(seconds=2)
    table.move(1, Waive())
    assert table.state.phase == "claims"
    assert seconds(table, table.game.due_at) == ASKED - 1
    scheduler_plays(table)
    accused = event_log.latest_public_facts(table.game)[0].fact
    assert isinstance(accused, BluffAdmitted | HonestyShown) and accused.accuser == 2


def test_when_the_last_person_leaves_the_bots_decide_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    bots_do(monkeypatch, never)
    table = declared(people=3, bots=2)
    table.now -= timedelta(seconds=2)
    table.move(1, Waive())
    table.now -= timedelta(seconds=2.5)
    table.move(2, Leave())
    assert table.state.phase == "claims"
    scheduler_plays(table)
    assert table.state.phase == "turn"


def test_absent_players_are_not_waited_for() -> None:
    """C5: nobody accuses for them."""
    table = Table([person() for _ in range(4)], [SLAP], slap_window_ms=WINDOW_MS)
    table.start_round({}, top="C")
    Seat.objects.filter(game=table.game, number__gt=0).update(asleep=True)
    Game.objects.filter(code=table.code).update(seats_seq=table.game.seq)
    versioned_lru.clear_all()
    table.move(0, Declare())
    assert seconds(table, table.game.due_at) == BOTS_TURN
    scheduler_plays(table)
    assert table.state.phase == "turn"


@pytest.mark.parametrize("people", [1, 2])
def test_when_something_happens_does_not_depend_on_hidden_cards(people: int) -> None:
    """True or false, suspected or not: the bots' answers come at the same moment."""
    answers: dict[type, set[float]] = {}
    deals: dict[str, dict[str, Any]] = {
        "true": {"hand": "C C M M"},
        "a bluff": {"hand": "E E C C"},
        "suspected": {"s3": "C C C M", "s2": "M M M M"},
        "not suspected": {"s3": "E E E Eb", "s2": "E E E Eb"},
    }
    moments = set()
    for deal in deals.values():
        table = declared(people=people, bots=4 - people, **deal)
        moments.add((table.game.due_at - table.now, table.game.turn_ends_at - table.now))
        began = table.now
        while table.state.phase == "claims":
            scheduler_plays(table)
        answer = kinds(table)[0]
        answers.setdefault(answer, set()).add((table.now - began).total_seconds())
    assert len(moments) == 1
    accused = [times for kind, times in answers.items() if kind is not SlapWindowClosed]
    assert SlapWindowClosed in answers and accused, "both happen"
    if people == 1:
        assert {time for times in answers.values() for time in times} == {BOTS_TURN}
    else:
        assert {time for times in accused for time in times} == {ASKED}
        assert answers[SlapWindowClosed] == {WINDOW_MS / 1_000}


def test_bots_are_asked_in_an_order_that_everybody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, list[bool]]] = []

    def notes(state: State, seat: int) -> Move | None:
        asked.append((seat, [hand is not None for hand in state.hands]))
        return None

    bots_do(monkeypatch, notes)
    for hand in ("C C M M", "E E C C"):
        scheduler_plays(declared(hand=hand))
    once = [(seat, [seat == other for other in range(4)]) for seat in (1, 2, 3)]
    assert asked == once * 2, "each from its own cards alone"


def test_the_declaration_is_the_last_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the window ends, nothing is sent that would tell that bots have thought."""
    bots_do(monkeypatch, never)
    table = declared(people=2, bots=2)
    seq = table.game.seq
    scheduler_plays(table)
    assert table.game.seq == seq and kinds(table) == [Declared]
