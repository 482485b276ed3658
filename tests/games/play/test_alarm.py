"""The alarm: the scheduler sleeps until a deadline of its process has passed, and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from time import monotonic

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import metrics
from games.play import alarm
from games.play.jobs import Agenda, Job
from tests.support.consumer_socket import run_async
from tests.support.fast_games import START
from tests.support.game_driver import LEAVE, deal_game
from tests.support.ticks import new_scheduler

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
LONG, SHORT = 30.0, 0.2  # seconds; so much apart that no slow machine mixes them up
SHORT_TIME = timedelta(seconds=SHORT)


def seconds_asleep(*during: Callable[[], None], least: float = 0.0, most: float = LONG) -> float:
    """How long an alarm sleeps while these are called, one after the other, on another thread."""

    async def scene() -> float:
        clock = alarm.Alarm()
        began = monotonic()
        sleep = asyncio.create_task(clock.sleep(least=least, most=most))
        await asyncio.sleep(0.01)
        for call in during:
            await asyncio.to_thread(call)
        await sleep
        return monotonic() - began

    return asyncio.run(scene())


def deadline(code: str, after: timedelta | None) -> Callable[[], None]:
    return lambda: alarm._set(code, None if after is None else timezone.now() + after)


def test_it_sleeps_until_the_next_deadline_and_not_before() -> None:
    later, sooner = deadline("later", timedelta(minutes=1)), deadline("sooner", SHORT_TIME)
    assert SHORT <= seconds_asleep(later, sooner) < LONG / 2


def test_the_deadline_of_a_game_replaces_the_one_before() -> None:
    sooner, later = deadline("one", timedelta(0)), deadline("one", timedelta(minutes=1))

    async def scene() -> float:
        clock = alarm.Alarm()
        sooner()
        later()
        began = monotonic()
        await clock.sleep(least=0.01, most=SHORT)
        return monotonic() - began

    assert asyncio.run(scene()) >= SHORT


def test_without_a_deadline_it_sleeps_its_whole_time() -> None:
    assert seconds_asleep(most=SHORT) >= SHORT


def test_a_game_that_waits_for_nobody_has_no_deadline() -> None:
    soon, never = deadline("one", SHORT_TIME / 2), deadline("one", None)
    assert seconds_asleep(soon, never, most=SHORT) >= SHORT


def test_deadlines_within_the_least_sleep_are_met_together() -> None:
    assert seconds_asleep(deadline("one", timedelta(0)), least=SHORT) >= SHORT


def test_it_can_be_rung_at_any_time() -> None:
    async def scene() -> float:
        clock = alarm.Alarm()
        began = monotonic()
        for least in (LONG, 0.0):
            asyncio.get_running_loop().call_later(0.01, clock.ring)
            await clock.sleep(least=least, most=LONG)
        return monotonic() - began

    assert asyncio.run(scene()) < LONG / 2


def test_it_can_be_rung_where_the_scheduler_stops() -> None:
    assert seconds_asleep(alarm.ring) < LONG / 2


@pytest.mark.django_db(transaction=True)
def test_a_move_sets_its_deadline_when_it_is_committed_and_only_then(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, object]] = []
    monkeypatch.setattr(alarm, "_set", lambda *args: told.append(args))
    driver = deal_game(alice, bob, hands=HANDS, turn_seconds=30)
    assert told == [(driver.code, START + timedelta(seconds=30))]
    told.clear()
    with transaction.atomic():
        alarm.set_on_commit(driver.code, START)
        assert told == []
        transaction.set_rollback(True)
    assert told == []
    driver.move(0, LEAVE)
    assert told == [(driver.code, None)]


@pytest.mark.django_db(transaction=True)
def test_an_idle_scheduler_ticks_only_for_its_heartbeats() -> None:
    async def scene() -> None:
        running = asyncio.create_task(new_scheduler().run())
        await asyncio.sleep(0.3)  # its first tick
        before = metrics.ticks._value.get()
        await asyncio.sleep(2)
        assert metrics.ticks._value.get() - before <= 5
        running.cancel()

    run_async(scene)


def test_a_job_whose_time_comes_just_after_a_tick_runs_with_it() -> None:
    job = Job("soon", lambda now, share: False, every=60.0, share=0.0, first=0.5)
    agenda = Agenda([job])
    assert agenda.due() == [] == agenda.due(within=0.1)
    assert agenda.due(within=0.6) == [job]
