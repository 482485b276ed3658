"""Downtime and jumps of the system clock: people get their whole time again, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError

from accounts.models import User
from games.models import Game, heartbeat
from games.models.heartbeat import Hours
from games.play import commands, scheduler
from games.play.scheduler import Watch, grant_fresh_time
from tests.games.evening import dealt
from tests.games.playing import EVENING
from tests.games.sockets import on_the_wire

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
pytestmark = pytest.mark.django_db


@dataclass
class Wall:
    """The system clock, as a test sets it."""

    now: datetime = EVENING


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    wall = Wall()
    monkeypatch.setattr(scheduler.timezone, "now", lambda: wall.now)
    monkeypatch.setattr(scheduler, "_SETTLING_SECONDS", 0)
    return wall


def test_the_first_process_of_all_ends_a_downtime() -> None:
    assert heartbeat.claim_reopening(now=EVENING)
    assert Hours.objects.get().open_at == EVENING


def test_a_process_that_joins_others_ends_no_downtime() -> None:
    heartbeat.claim_reopening(now=EVENING)
    heartbeat.beat(now=EVENING + 10 * SECOND)
    assert not heartbeat.claim_reopening(now=EVENING + 10.5 * SECOND)


def test_of_several_processes_one_ends_a_downtime() -> None:
    heartbeat.claim_reopening(now=EVENING)
    back = EVENING + 5 * SECOND
    assert [
        heartbeat.claim_reopening(now=back),
        heartbeat.claim_reopening(now=back + SECOND / 10),
    ] == [True, False]


def test_a_clock_that_was_put_back_is_like_a_downtime() -> None:
    heartbeat.claim_reopening(now=EVENING)
    assert heartbeat.claim_reopening(now=EVENING - HOUR)
    assert Hours.objects.get().open_at == EVENING - HOUR


@pytest.mark.parametrize(
    ("wall", "passed", "jumped"),
    [(0.1, 0.1, False), (1.0, 1.0, False), (4.0, 4.0, True), (3600, 0.1, True), (-60, 0.1, True)],
)
def test_a_scheduler_that_stood_still_or_whose_clock_was_set_notices_a_jump(
    wall: float, passed: float, jumped: bool
) -> None:
    watch = Watch()
    assert watch.clock_jumped(now=EVENING, passed=100)  # just started
    watch.note(now=EVENING, passed=100)
    now = EVENING + timedelta(seconds=wall)
    assert watch.clock_jumped(now=now, passed=100 + passed) is jumped


def test_a_clock_that_was_put_back_keeps_no_bot_waiting(alice: User) -> None:
    evening = dealt(alice, "steady", hands=HANDS, opener=1)
    now = EVENING - HOUR
    scheduler.grant_fresh_time(now=now)
    assert now < evening.game.due_at < now + 10 * SECOND


def test_a_persons_deadline_from_before_the_downtime_starts_again(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    opened = EVENING + HOUR
    scheduler.run_due(evening.code, now=opened + SECOND, opened=opened)
    assert evening.game.due_at == opened + SECOND + timedelta(seconds=45)
    assert evening.state.bidder is None
    assert not evening.game.seat_set.filter(missed__gt=0).exists()


def test_a_bot_that_was_due_before_the_downtime_moves_at_once(alice: User) -> None:
    evening = dealt(alice, "steady", hands=HANDS, opener=1)
    opened = EVENING + HOUR
    scheduler.run_due(evening.code, now=opened, opened=opened)
    assert evening.state.bidder == 1


def test_a_turn_that_times_out_after_the_downtime_is_played(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    Game.objects.update(due_at=EVENING + 10 * SECOND, turn_ends_at=EVENING + 10 * SECOND)
    scheduler.run_due(evening.code, now=EVENING + 11 * SECOND, opened=EVENING)
    assert evening.state.bidder == 0


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_set_in_the_middle_of_a_tick_is_noticed_by_the_next(
    alice: User, bob: User, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise everyone on turn would time out, although no second has passed for them."""
    evening = dealt(alice, bob, hands=HANDS)
    wall.now = EVENING + SECOND
    real = scheduler.due

    def set_meanwhile(*, now: datetime) -> scheduler.Due:
        wall.now = EVENING + HOUR
        return real(now=now)

    async def beats() -> None:
        watch = Watch()
        await scheduler._tick(watch)
        monkeypatch.setattr(scheduler, "due", set_meanwhile)
        await scheduler._tick(watch)
        await scheduler._tick(watch)

    on_the_wire(beats)
    assert evening.state.bidder is None
    assert evening.game.due_at > EVENING + HOUR


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_put_back_in_the_middle_of_a_tick_makes_nothing_due(
    alice: User, bob: User, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may have noticed and set a deadline, which this tick's time is far beyond."""
    evening = dealt(alice, bob, hands=HANDS)
    Game.objects.update(due_at=EVENING + 2 * HOUR, turn_ends_at=EVENING + 2 * HOUR)
    Hours.objects.create(pk=1, open_at=EVENING + HOUR)  # the other process is up
    wall.now = EVENING + HOUR

    def put_back_meanwhile(*, now: datetime) -> scheduler.Due:
        wall.now = EVENING
        commands.grant_fresh_time(evening.code, now=EVENING)
        return scheduler.Due([evening.code], some_skipped=False)

    async def beats() -> None:
        watch = Watch()
        await scheduler._tick(watch)
        monkeypatch.setattr(scheduler, "due", put_back_meanwhile)
        await scheduler._tick(watch)

    on_the_wire(beats)
    assert evening.state.bidder is None


async def tick_granting(watch: Watch, grant: Callable[..., None]) -> None:
    """A tick of the scheduler in which `grant` takes the place of its grant_fresh_time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scheduler, "grant_fresh_time", grant)
        await scheduler._tick(watch)


@pytest.mark.django_db(transaction=True)
def test_time_that_a_failing_database_left_ungranted_is_granted_in_the_next_tick(
    alice: User, bob: User, wall: Wall
) -> None:
    """The clock is put back; otherwise the game would wait until it has caught up."""
    evening = dealt(alice, bob, hands=HANDS)
    wall.now = EVENING + HOUR

    def fail(*, now: datetime) -> None:
        raise OperationalError("the connection is lost")

    async def beats() -> None:
        watch = Watch()
        await scheduler._tick(watch)
        wall.now = EVENING
        with pytest.raises(OperationalError):
            await tick_granting(watch, fail)
        await scheduler._tick(watch)

    on_the_wire(beats)
    assert evening.game.due_at == EVENING + 45 * SECOND


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("others", [False, True], ids=["alone", "seen by another process first"])
def test_a_clock_that_is_put_back_while_time_is_granted_is_noticed_by_the_next_tick(
    others: bool, alice: User, bob: User, wall: Wall
) -> None:
    """Otherwise the games that have been given their time wait until the clock has caught up."""
    evening = dealt(alice, bob, hands=HANDS)
    wall.now = EVENING + HOUR

    def put_back_then(*, now: datetime) -> None:
        grant_fresh_time(now=now)
        wall.now = EVENING
        if others:
            heartbeat.beat(now=EVENING)

    async def beats() -> None:
        watch = Watch()
        await scheduler._tick(watch)
        wall.now = EVENING + 2 * HOUR
        await tick_granting(watch, put_back_then)
        await scheduler._tick(watch)

    on_the_wire(beats)
    assert evening.state.bidder is None
    assert evening.game.due_at == EVENING + 45 * SECOND


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_set_only_for_as_long_as_time_is_granted_moves_no_deadline(
    alice: User, bob: User, wall: Wall
) -> None:
    """By the next tick it is right again, and nothing else tells that it was not."""
    evening = dealt(alice, bob, hands=HANDS)
    wall.now = EVENING + HOUR

    def set_meanwhile(*, now: datetime) -> None:
        grant_fresh_time(now=now + HOUR)
        wall.now = EVENING + 2 * HOUR

    async def beats() -> None:
        watch = Watch()
        await tick_granting(watch, set_meanwhile)
        wall.now = EVENING + HOUR
        await scheduler._tick(watch)

    on_the_wire(beats)
    assert evening.game.due_at == EVENING + HOUR + 45 * SECOND
