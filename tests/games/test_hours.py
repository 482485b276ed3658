"""Opening hours: the time the house was closed is nobody's, and is handed out once."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games import clock, hours
from games.clock import Watch
from games.hours import Hours
from games.models import Game
from tests.games.evening import dealt
from tests.games.playing import EVENING
from tests.games.sockets import on_the_wire

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
SECOND = timedelta(seconds=1)
pytestmark = pytest.mark.django_db


def test_the_first_process_of_all_opens_the_house() -> None:
    assert hours.reopens(now=EVENING)
    assert Hours.objects.get().open_at == EVENING


def test_a_process_that_joins_others_opens_nothing() -> None:
    hours.reopens(now=EVENING)
    hours.sign(now=EVENING + 10 * SECOND)
    assert not hours.reopens(now=EVENING + 10.5 * SECOND)


def test_of_several_processes_one_opens_a_closed_house() -> None:
    hours.reopens(now=EVENING)
    back = EVENING + 5 * SECOND
    assert [hours.reopens(now=back), hours.reopens(now=back + SECOND / 10)] == [True, False]


def test_a_clock_that_was_put_back_opens_the_house_too() -> None:
    hours.reopens(now=EVENING)
    assert hours.reopens(now=EVENING - timedelta(hours=1))
    assert Hours.objects.get().open_at == EVENING - timedelta(hours=1)


@pytest.mark.parametrize(
    ("wall", "passed", "startled"),
    [(0.1, 0.1, False), (1.0, 1.0, False), (4.0, 4.0, True), (3600, 0.1, True), (-60, 0.1, True)],
)
def test_a_clock_is_startled_when_it_stood_still_or_was_set(
    wall: float, passed: float, startled: bool
) -> None:
    watch = Watch()
    assert watch.is_startled(now=EVENING, beat=100)  # just wound
    watch.sees(now=EVENING, beat=100)
    now = EVENING + timedelta(seconds=wall)
    assert watch.is_startled(now=now, beat=100 + passed) is startled


def test_a_clock_that_was_put_back_keeps_no_bot_waiting(alice: User) -> None:
    evening = dealt(alice, "steady", hands=HANDS, opener=1)
    now = EVENING - timedelta(hours=1)
    clock.forgive(now=now)
    assert now < evening.game.due_at < now + 10 * SECOND


def test_a_question_from_before_the_house_opened_is_put_anew(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    opened = EVENING + timedelta(hours=1)
    clock.wake_one(evening.code, now=opened + SECOND, opened=opened)
    assert evening.game.due_at == opened + SECOND + timedelta(seconds=45)
    assert evening.state.bidder is None
    assert not evening.game.seat_set.filter(missed__gt=0).exists()


def test_a_bot_from_before_the_house_opened_moves_at_once(alice: User) -> None:
    evening = dealt(alice, "steady", hands=HANDS, opener=1)
    opened = EVENING + timedelta(hours=1)
    clock.wake_one(evening.code, now=opened, opened=opened)
    assert evening.state.bidder == 1


def test_who_is_slow_after_the_house_opened_is_played_for(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    Game.objects.update(due_at=EVENING + 10 * SECOND, turn_ends_at=EVENING + 10 * SECOND)
    clock.wake_one(evening.code, now=EVENING + 11 * SECOND, opened=EVENING)
    assert evening.state.bidder == 0


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_set_in_the_middle_of_a_beat_startles_the_next(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody would be played for who had a turn: for them not a second has passed."""
    evening = dealt(alice, bob, hands=HANDS)
    wall = [EVENING + SECOND]
    monkeypatch.setattr(clock.timezone, "now", lambda: wall[0])
    monkeypatch.setattr(clock, "_SETTLING_SECONDS", 0)
    real = clock.overdue

    def set_meanwhile(*, now: datetime) -> list[str]:
        wall[0] = EVENING + timedelta(hours=1)
        return real(now=now)

    async def beats() -> None:
        watch = Watch()
        await clock._beat(watch)
        monkeypatch.setattr(clock, "overdue", set_meanwhile)
        await clock._beat(watch)
        await clock._beat(watch)

    on_the_wire(beats)
    assert evening.state.bidder is None
    assert evening.game.due_at > EVENING + timedelta(hours=1)
