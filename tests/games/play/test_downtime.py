"""Downtime and jumps of the system clock: people get back what they lost, once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError

from accounts.models import User
from games.models import Game, heartbeat
from games.models.heartbeat import Heartbeat
from games.play import commands, due, scheduler
from games.play.clock import Downtime
from games.play.downtime import Owed
from tests.support.cases import untouched
from tests.support.consumer_socket import run_async
from tests.support.fast_games import START, end_downtime, open_table
from tests.support.game_driver import deal_game
from tests.support.ticks import new_scheduler

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
pytestmark = pytest.mark.django_db


@dataclass
class Wall:
    """The system clock, as a test sets it."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    monkeypatch.setattr(scheduler, "_SETTLING_SECONDS", 0)
    return Wall()


def test_the_first_process_of_all_ends_a_downtime() -> None:
    assert heartbeat.claim_reopening(now=START) == timedelta()
    assert Heartbeat.objects.get().open_at == START


def test_a_process_that_joins_others_ends_no_downtime() -> None:
    heartbeat.claim_reopening(now=START)
    heartbeat.beat(now=START + 10 * SECOND)
    assert heartbeat.claim_reopening(now=START + 10.5 * SECOND) is None


def test_of_several_processes_one_ends_a_downtime() -> None:
    heartbeat.claim_reopening(now=START)
    back = START + 5 * SECOND
    assert [
        heartbeat.claim_reopening(now=back),
        heartbeat.claim_reopening(now=back + SECOND / 10),
    ] == [5 * SECOND, None]


def test_a_clock_that_was_put_back_is_like_a_downtime() -> None:
    heartbeat.claim_reopening(now=START)
    assert heartbeat.claim_reopening(now=START - HOUR) == -HOUR
    assert Heartbeat.objects.get().open_at == START - HOUR


def test_a_clock_that_was_put_back_keeps_no_bot_waiting(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS, opener=1)
    now = START - HOUR
    end_downtime(-HOUR, now=now)
    assert now < driver.game.due_at < now + 10 * SECOND


def test_a_deadline_that_a_late_move_has_set_in_the_downtime_is_moved_on(
    alice: User, bob: User
) -> None:
    """It was under way when the site went down, and is written after the others got theirs back."""
    driver = deal_game(alice, bob, hands=HANDS)
    opened = START + HOUR
    due.run_due(driver.code, now=opened + SECOND, downtime=Downtime(opened, lost=HOUR))
    assert driver.game.due_at == opened + 45 * SECOND
    assert driver.state.bidder is None
    assert not driver.game.seat_set.filter(missed__gt=0).exists()


def test_a_bot_that_was_due_before_the_downtime_moves_at_once(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS, opener=1)
    opened = START + HOUR
    due.run_due(driver.code, now=opened, downtime=Downtime(opened, lost=HOUR))
    assert driver.state.bidder == 1


def test_a_turn_that_times_out_after_the_downtime_is_played(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    Game.objects.update(due_at=START + 10 * SECOND, turn_ends_at=START + 10 * SECOND)
    due.run_due(driver.code, now=START + 11 * SECOND, downtime=Downtime(START, lost=HOUR))
    assert driver.state.bidder == 0


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_set_in_the_middle_of_a_tick_is_noticed_by_the_next(
    alice: User, bob: User, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise everyone on turn would time out, although no second has passed for them."""
    driver = deal_game(alice, bob, hands=HANDS)
    wall.now = START + SECOND
    real = due.find

    def set_meanwhile(*, now: datetime, **_: object) -> due.Due:
        wall.now = START + HOUR
        return real(now=now)

    async def beats() -> None:
        ticking = new_scheduler(wall=wall)
        await ticking.tick()
        monkeypatch.setattr(due, "find", set_meanwhile)
        await ticking.tick()
        await ticking.tick()

    run_async(beats)
    assert driver.state.bidder is None
    assert driver.game.due_at > START + HOUR


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_put_back_in_the_middle_of_a_tick_makes_nothing_due(
    alice: User, bob: User, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may have noticed and set a deadline, which this tick's time is far beyond."""
    driver = deal_game(alice, bob, hands=HANDS)
    Game.objects.update(due_at=START + 2 * HOUR, turn_ends_at=START + 2 * HOUR)
    Heartbeat.objects.create(pk=1, open_at=START + HOUR)  # the other process is up
    wall.now = START + HOUR

    def put_back_meanwhile(*, now: datetime, **_: object) -> due.Due:
        wall.now = START
        commands.give_back(driver.code, lost=-HOUR, now=START)
        return due.Due([driver.code], some_skipped=False)

    async def beats() -> None:
        ticking = new_scheduler(wall=wall)
        await ticking.tick()
        monkeypatch.setattr(due, "find", put_back_meanwhile)
        await ticking.tick()

    run_async(beats)
    assert driver.state.bidder is None


@pytest.mark.django_db(transaction=True)
def test_time_that_a_failing_database_left_owed_is_given_back_in_the_next_tick(
    alice: User, bob: User, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is put back; otherwise the game would wait until it has caught up."""
    driver = deal_game(alice, bob, hands=HANDS)
    wall.now = START + SECOND

    async def beats() -> None:
        ticking = new_scheduler(wall=wall)
        await ticking.tick()
        wall.now = START - HOUR
        with monkeypatch.context() as patched, pytest.raises(OperationalError):
            patched.setattr(commands, "give_back", raise_outage)
            await ticking.tick()
        await ticking.tick()

    run_async(beats)
    assert abs(driver.game.due_at - (START - HOUR + 44 * SECOND)) < SECOND


# --- what is given back --------------------------------------------------------------------------

DAY = timedelta(days=1)


def test_after_a_downtime_people_have_the_time_they_had_left_and_some_at_least(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for turn, left, lost, then in [
        (3 * DAY, DAY, 20 * SECOND, DAY),
        (3 * DAY, SECOND, 20 * SECOND, 15 * SECOND),
        (30 * SECOND, 25 * SECOND, 20 * SECOND, 25 * SECOND),
        (30 * SECOND, 0.3 * SECOND, 20 * SECOND, 15 * SECOND),
        (30 * SECOND, 30 * SECOND, 5 * HOUR, 30 * SECOND),
        (10 * SECOND, SECOND, 20 * SECOND, 10 * SECOND),
    ]:
        with subtests.test(turn=turn, left=left, lost=lost), untouched():
            driver = deal_game(alice, bob, hands=HANDS, turn_seconds=round(turn.total_seconds()))
            ends = driver.game.due_at
            assert ends == START + turn
            opened = ends - left + lost
            end_downtime(lost, now=opened)
            assert driver.game.due_at == driver.game.turn_ends_at == opened + then


@pytest.mark.django_db(transaction=True)
def test_a_process_that_starts_beside_another_gives_nothing_back(
    alice: User, bob: User, wall: Wall
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    heartbeat.claim_reopening(now=START)
    before = Game.objects.values().get()
    wall.now = START + 20 * SECOND
    heartbeat.beat(now=wall.now - SECOND / 2)  # the other process
    run_async(new_scheduler(wall=wall).tick)
    assert Game.objects.values().get() == before
    assert driver.game.due_at == START + 45 * SECOND


@pytest.mark.django_db(transaction=True)
def test_a_restart_of_twenty_seconds_gives_twenty_seconds_back(
    alice: User, bob: User, wall: Wall
) -> None:
    slow = deal_game(alice, bob, hands=HANDS, turn_seconds=3 * 24 * 3600)
    heartbeat.claim_reopening(now=START)
    wall.now = START + HOUR
    heartbeat.beat(now=wall.now)
    wall.now += 20 * SECOND
    run_async(new_scheduler(wall=wall).tick)
    assert abs(slow.game.due_at - (START + 3 * DAY + 20 * SECOND)) < SECOND


def test_a_debt_grows_while_it_cannot_be_paid(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two games one has got its time back when the database fails again, for ten seconds."""
    games = [deal_game(alice, bob, hands=HANDS, turn_seconds=3600) for _ in range(2)]
    owed, now = Owed(), START + 30 * SECOND
    owed.add(20 * SECOND)
    owed.give_back(now=now)
    owed.give_back(now=now)
    with monkeypatch.context() as patched, pytest.raises(OperationalError):
        patched.setattr(commands, "give_back", raise_outage)
        owed.give_back(now=now)
    owed.add(10 * SECOND)
    while owed:
        owed.give_back(now=now + 10 * SECOND)
    assert [game.game.due_at for game in games] == [START + HOUR + 30 * SECOND] * 2


def test_two_downtimes_before_the_first_is_given_back_add_up(alice: User, bob: User) -> None:
    games = [deal_game(alice, bob, hands=HANDS, turn_seconds=3600) for _ in range(2)]
    owed, now = Owed(), START + 30 * SECOND
    owed.add(20 * SECOND)
    owed.add(7 * SECOND)  # nothing was given back yet
    owed.give_back(now=now)
    owed.add(3 * SECOND)  # each game is owed what it was owed, and this
    while owed:
        owed.give_back(now=now)
    assert [game.game.due_at for game in games] == [START + HOUR + 30 * SECOND] * 2


def raise_outage(*given: object, **named: object) -> None:
    raise OperationalError("the connection is lost")


def test_an_open_table_closes_later_by_what_was_lost_and_is_found_again(alice: User) -> None:
    table = open_table(alice, "steady")
    for after, lost, left in ((10, 5, 50), (59, 30, 5), (0, 600, 60)):
        before = START + timedelta(minutes=60)
        Game.objects.update(due_at=before)
        opened = START + timedelta(minutes=after + lost)
        end_downtime(timedelta(minutes=lost), now=opened)
        table.refresh_from_db()
        assert table.due_at == opened + timedelta(minutes=left)


def test_people_were_last_seen_later_by_what_was_lost(alice: User) -> None:
    """So the host who was here is here, and one who was away is away."""
    table = open_table(alice, "steady")
    table.seat_set.filter(user=alice).update(seen_at=START)
    end_downtime(HOUR, now=START + HOUR + 30 * SECOND)
    assert table.seat_set.get(user=alice).seen_at == START + HOUR
