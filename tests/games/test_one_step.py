"""A step happens once and whole, or not at all, whoever else writes at the same time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from accounts.models import User
from games import log, play, recent, step
from games.models import Event, Game
from games.refusal import Refused
from games.rules import perudo as rules
from tests.games.evening import DUDO, LEAVE, Evening, all_rows, bid, dealt, refused
from tests.games.playing import EVENING

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
Race = Callable[[int], list[int]]


@pytest.fixture
def evening(alice: User) -> Evening:
    """Alice has bid against a bot that is about to answer."""
    evening = dealt(alice, "steady", hands=HANDS)
    evening.says(0, bid("2x3"))
    return evening


@pytest.fixture
def somebody_is_faster(monkeypatch: pytest.MonkeyPatch) -> Race:
    """While the bot thinks, another writer moves the game on; so many times, and then no more."""

    def happens(times: int) -> list[int]:
        thought: list[int] = []

        def thinks(state: Any, seat: int, chance: Any) -> Any:
            thought.append(len(thought) + 1)
            if len(thought) <= times:
                Game.objects.update(seq=F("seq") + 1)
            return bid("3x3")

        monkeypatch.setattr(rules, "BOTS", {"steady": thinks})
        return thought

    return happens


def test_a_step_that_lost_a_race_is_judged_again(
    evening: Evening, somebody_is_faster: Race
) -> None:
    thought = somebody_is_faster(2)
    evening.clock_strikes()
    assert thought == [1, 2, 3]
    assert evening.state.bids[1:] == ((1, bid("3x3")),)


def test_a_step_that_loses_every_race_gives_up_and_leaves_nothing(
    evening: Evening, somebody_is_faster: Race
) -> None:
    somebody_is_faster(99)
    before = all_rows()
    with pytest.raises(Refused, match="someone_faster"):
        evening.clock_strikes()
    assert all_rows() == before


def test_a_number_of_the_log_that_is_taken_is_a_lost_race_too(evening: Evening) -> None:
    game = evening.game
    log.append(game, [rules.decide(log.unsealed(game), 1, bid("3x3"), None)[0]], at=EVENING)
    before = all_rows()
    with pytest.raises(Refused, match="someone_faster"):
        evening.clock_strikes(rolls=None)
    assert all_rows() == before


@pytest.fixture
def moved_on_elsewhere(alice: User, bob: User) -> Evening:
    """Alice has bid, and another process took it: this one remembers the table before that."""
    evening = dealt(alice, bob, hands=HANDS)
    before = evening.game
    evening.says(0, bid("2x3"))
    recent._games.forget(evening.code)
    log._known.forget(evening.code)
    recent.keep(before)
    return evening


def test_a_move_that_is_right_now_is_not_refused_from_memory(moved_on_elsewhere: Evening) -> None:
    moved_on_elsewhere.says(1, bid("3x3"))
    assert moved_on_elsewhere.state.bids[1:] == ((1, bid("3x3")),)


def test_a_move_that_was_right_then_is_refused_now(moved_on_elsewhere: Evening) -> None:
    """Whatever was remembered, the refusal tells what is true."""
    evening = moved_on_elsewhere
    again = partial(play.move, evening.code, 0, bid("2x4"), now=evening.now)
    assert refused(partial(again, seen=evening.game.deal_seq)) == "stale"
    remembered = recent.begun(evening.code)
    assert remembered is not None and remembered.seq == evening.game.seq - 1
    assert refused(partial(again, seen=None)) == "not_your_turn"


def test_a_step_that_asks_nothing_new_leaves_the_time_of_the_table_alone(
    alice: User, bob: User, charlie: User
) -> None:
    """The clock puts its next look off without counting, and a process may remember the old."""
    evening = dealt(alice, bob, charlie, hands=(*HANDS, HANDS[0]))
    remembered = evening.game
    later = evening.now + timedelta(minutes=3)
    play.set_aside(evening.code, now=later, until=later)
    recent.keep(remembered)
    evening.says(2, LEAVE)
    assert evening.seat(2).gone
    assert evening.game.due_at == later


def test_a_step_is_never_part_of_a_larger_transaction(evening: Evening) -> None:
    """Else what it read could be taken back after this process has learnt it by heart."""
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        play.move(evening.code, 1, DUDO, seen=None, now=evening.now)


def test_nothing_of_a_step_that_failed_is_remembered(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: Any, **named: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(step, "claim", full)
        with pytest.raises(OSError, match="disk full"):
            evening.clock_strikes(rolls=None)
    remembered = log._known.get(evening.code)
    log._known.forget(evening.code)
    assert remembered == (evening.game.seq, log.known(evening.game))


def test_a_step_reads_the_log_before_it_writes_to_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the states that are kept hold committed facts only."""
    order: list[str] = []
    for name in ("known", "append"):
        real = getattr(log, name)

        def spied(*given: Any, real: Any = real, name: str = name, **named: Any) -> Any:
            order.append(name)
            return real(*given, **named)

        monkeypatch.setattr(log, name, spied)
    play.wake(evening.code, now=evening.now.replace(hour=23))
    assert order[-1] == "append" and order.count("append") == 1 and "known" in order


def test_the_numbers_of_a_log_have_no_doubles_and_only_rise(evening: Evening) -> None:
    while evening.game.due_at is not None:
        evening.clock_strikes(rolls=None)
    numbers = list(Event.unsealed.order_by("pk").values_list("seq", flat=True))
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == evening.game.seq
