"""The clock does what is due, one game after the other, and no broken game stops it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import User
from games.errors import Refused
from games.models import Event, Game
from games.play import commands, scheduler
from tests.faults.judges import the_log_is_calm
from tests.games.evening import LEAVE, all_rows, dealt
from tests.games.playing import EVENING, open_table

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
LATE = EVENING + timedelta(days=1)


def break_the_log(code: str) -> None:
    Event.unsealed.filter(game__code=code, kind="rolled").update(data={"dice": "2, 3, 4, 5, 6"})


def test_what_is_due_longest_comes_first(alice: User, bob: User) -> None:
    slow = dealt(alice, bob, hands=HANDS, turn_seconds=60)
    fast = dealt(alice, bob, hands=HANDS, turn_seconds=30)
    assert scheduler.overdue(now=EVENING + timedelta(seconds=29)) == []
    assert scheduler.overdue(now=EVENING + timedelta(seconds=30)) == [fast.code]
    assert scheduler.overdue(now=EVENING + timedelta(seconds=60)) == [fast.code, slow.code]


def test_a_game_that_is_over_is_never_due(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    evening.says(0, LEAVE)
    Game.objects.update(due_at=EVENING)  # nothing in the site writes that
    assert scheduler.overdue(now=LATE) == []


def test_the_scheduler_plays_for_absent_players(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    scheduler.run_due(evening.code, now=LATE)
    assert evening.state.bidder == 0


def test_the_clock_closes_an_abandoned_table(alice: User) -> None:
    game = open_table(alice, "steady")
    closes = EVENING + timedelta(minutes=60)
    scheduler.run_due(game.code, now=closes - timedelta(seconds=1))
    assert Game.objects.get().status == Game.Status.OPEN
    assert scheduler.overdue(now=closes) == [game.code]
    scheduler.run_due(game.code, now=closes)
    closed = Game.objects.get()
    assert (closed.status, closed.due_at, closed.seq) == (Game.Status.CLOSED, None, game.seq + 1)


def test_a_game_whose_step_fails_is_set_aside_and_said_without_its_dice(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    break_the_log(evening.code)
    scheduler.run_due(evening.code, now=LATE)
    assert evening.game.due_at == LATE + timedelta(minutes=1)
    assert f"game set aside game={evening.code}" in caplog.text
    assert "cannot be read" in caplog.text and "2, 3, 4, 5, 6" not in caplog.text


def test_a_broken_game_does_not_stop_the_others(alice: User, bob: User) -> None:
    broken = dealt(alice, bob, hands=HANDS)
    sound = dealt(alice, bob, hands=HANDS)
    break_the_log(broken.code)
    for code in scheduler.overdue(now=LATE):
        scheduler.run_due(code, now=LATE)
    assert sound.state.bidder == 0
    assert broken.code not in scheduler.overdue(now=LATE)


def test_an_outage_of_the_database_is_named_in_one_line_each(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In words that people and the judges of a storm find in the log."""

    def gone(*given: Any, **named: Any) -> None:
        raise OperationalError("the connection is lost\n\tand more about it")

    async def last_tick(watch: scheduler.Watch) -> None:
        monkeypatch.setattr(scheduler, "_stopping", True)
        gone()

    evening = dealt(alice, bob, hands=HANDS)
    monkeypatch.setattr(commands, "play_due", gone)
    scheduler.run_due(evening.code, now=LATE)
    assert evening.game.due_at == LATE + timedelta(seconds=2)
    monkeypatch.setattr(scheduler, "_tick", last_tick)
    monkeypatch.setattr(scheduler, "_stopping", False)
    asyncio.run(scheduler._run())
    lines = [f"2026-01-01 12:00:00,000 WARNING clock: {one.getMessage()}" for one in caplog.records]
    assert len(lines) == 2
    assert the_log_is_calm("\n".join(lines)).total() == 2


def test_a_race_the_clock_lost_is_no_failure(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def beaten(*given: Any, **named: Any) -> None:
        raise Refused("someone_faster")

    evening = dealt(alice, bob, hands=HANDS)
    before = all_rows()
    monkeypatch.setattr(commands, "play_due", beaten)
    scheduler.run_due(evening.code, now=LATE)
    assert all_rows() == before
    assert caplog.records == []


# --- after a downtime ----------------------------------------------------------------------------


def test_everyone_gets_their_time_again(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    table = open_table(alice, bob)
    scheduler.grant_fresh_time(now=LATE)
    assert evening.game.due_at == LATE + timedelta(seconds=45)
    table.refresh_from_db()
    assert table.due_at == LATE + timedelta(minutes=60)
    assert scheduler.overdue(now=LATE) == []


def test_a_broken_game_does_not_keep_the_others_from_being_forgiven(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = dealt(alice, bob, hands=HANDS)
    sound = dealt(alice, bob, hands=HANDS)
    Event.unsealed.filter(game__code=broken.code).update(data={})
    scheduler.grant_fresh_time(now=LATE)
    assert sound.game.due_at == LATE + timedelta(seconds=45)
    assert f"granting fresh time failed game={broken.code}" in caplog.text


# --- the loop ------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_once_wound_it_plays_by_itself_and_is_wound_only_once(alice: User) -> None:
    evening = dealt(alice, "steady", hands=HANDS, opener=1)

    async def run() -> None:
        scheduler.start()
        running = scheduler._running
        scheduler.start()
        assert scheduler._running is running and running is not None
        for _ in range(100):
            await asyncio.sleep(0.05)
            if await asyncio.to_thread(has_moved):
                break
        running.cancel()

    def has_moved() -> bool:
        try:
            return Event.objects.filter(kind="bid_made").exists()
        finally:
            connection.close()

    Game.objects.update(due_at=timezone.now(), turn_ends_at=timezone.now())
    asyncio.run(run())
    assert evening.state.bidder == 1


@pytest.mark.django_db(transaction=True)
def test_told_to_stop_it_finishes_the_game_in_hand_and_begins_no_other(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    evenings = [dealt(person, "steady", hands=HANDS, opener=1) for person in (alice, bob)]
    Game.objects.update(due_at=timezone.now(), turn_ends_at=timezone.now())
    monkeypatch.setattr(scheduler, "_stopping", False)
    monkeypatch.setattr(scheduler, "_running", None)
    run_due = scheduler.run_due

    async def run() -> None:
        loop = asyncio.get_running_loop()
        told, stopping = asyncio.Event(), list[asyncio.Task[None]]()

        def run_and_be_told(code: str, **named: Any) -> None:
            run_due(code, **named)
            asyncio.run_coroutine_threadsafe(tell(), loop).result()

        async def tell() -> None:
            stopping.append(asyncio.create_task(scheduler.stop()))
            await asyncio.sleep(0)  # it has begun
            told.set()

        monkeypatch.setattr(scheduler, "run_due", run_and_be_told)
        scheduler.start()
        await told.wait()
        await stopping[0]

    asyncio.run(run())
    assert sorted(str(evening.state.bidder) for evening in evenings) == ["1", "None"]
