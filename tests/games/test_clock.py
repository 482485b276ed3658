"""The clock does what is due, one game after the other, and no broken game stops it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import User
from games.errors import Refused
from games.models import Event, Game
from games.play import commands, due, scheduler
from tests.faults.judges import the_log_is_calm
from tests.games.evening import LEAVE, all_rows, bid, dealt
from tests.games.playing import EVENING, open_table
from tests.games.sockets import done, on_the_wire

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
LATE = EVENING + timedelta(days=1)


def break_the_log(code: str) -> None:
    Event.unsealed.filter(game__code=code, kind="rolled").update(data={"dice": "2, 3, 4, 5, 6"})


def test_what_is_due_longest_comes_first(alice: User, bob: User) -> None:
    slow = dealt(alice, bob, hands=HANDS, turn_seconds=60)
    fast = dealt(alice, bob, hands=HANDS, turn_seconds=30)
    assert scheduler.due(now=EVENING + timedelta(seconds=29)).codes == []
    assert scheduler.due(now=EVENING + timedelta(seconds=30)).codes == [fast.code]
    assert scheduler.due(now=EVENING + timedelta(seconds=60)).codes == [fast.code, slow.code]


def test_games_that_are_skipped_keep_no_other_from_being_played(alice: User, bob: User) -> None:
    skipped = [dealt(alice, bob, hands=HANDS, turn_seconds=30) for _ in range(2)]
    other = dealt(alice, bob, hands=HANDS, turn_seconds=60)
    assert scheduler.due(now=LATE).some_skipped is False
    Game.objects.filter(code__in=[evening.code for evening in skipped]).update(skipping=True)
    found = scheduler.due(now=LATE)
    assert (found.codes, found.some_skipped) == ([other.code], True)


def test_where_more_is_due_than_a_tick_plays_some_of_it_may_be_skipped(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [dealt(alice, bob, hands=HANDS, turn_seconds=seconds) for seconds in (30, 60, 45)]
    Game.objects.filter(code=games[2].code).update(skipping=True)
    monkeypatch.setattr(due, "PEOPLE_AT_ONCE", 1)
    monkeypatch.setattr(due, "BOTS_AT_ONCE", 0)
    found = scheduler.due(now=LATE)
    assert (found.codes, found.some_skipped, found.is_all) == ([games[0].code], True, False)


def bots_game(host: User, *, holder: str, due_at: datetime, opponents: int = 1) -> str:
    """A game in which a bot is on turn, of somebody at this address."""
    hands = (HANDS * 4)[: opponents + 1]
    code = dealt(host, *["steady"] * opponents, hands=hands, opener=1).code
    Game.objects.filter(code=code).update(holder=holder, due_at=due_at)
    return code


def test_peoples_time_comes_before_bots_and_every_holder_in_turn(
    alice: User, bob: User, charlie: User
) -> None:
    greedy = [
        bots_game(alice, holder="greedy", due_at=EVENING + timedelta(seconds=second))
        for second in range(4)
    ]
    other = bots_game(charlie, holder="other", due_at=EVENING + timedelta(seconds=10))
    people = dealt(bob, charlie, hands=HANDS)
    found = scheduler.due(now=EVENING + timedelta(seconds=45))
    assert found.codes == [people.code], "although it is due for the shortest time"
    assert found.bots == [greedy[0], other, *greedy[1:]]
    assert found.is_all and not found.some_skipped


@pytest.mark.django_db(transaction=True)
def test_a_tick_plays_bots_for_a_share_of_it_and_people_always(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    for _ in range(3):
        bots_game(alice, holder="greedy", due_at=now)
    codes = [dealt(bob, charlie, hands=HANDS).code for _ in range(2)]
    played: list[str] = []
    monkeypatch.setattr(scheduler, "_BOTS_SECONDS", 0.0)
    monkeypatch.setattr(scheduler, "_run_due_now", lambda code, **_: not played.append(code))

    async def scene() -> None:
        watch = scheduler.Watch()
        watch.note(now=timezone.now(), passed=monotonic())
        assert await scheduler._tick(watch), "more is due"

    on_the_wire(scene)
    assert sorted(played) == sorted(codes)


@pytest.mark.parametrize(
    ("moment", "for_bots"),
    [("a person's turn", False), ("a bot's turn", True), ("asked", True), ("asked in vain", False)],
)
def test_a_game_knows_whose_time_is_up(alice: User, bob: User, moment: str, for_bots: bool) -> None:
    hands = (*HANDS, (3, 3, 4, 4, 6))
    free = {"calza": "on", "calza_needs_lost_die": False}
    opener = 2 if moment == "a bot's turn" else 0
    evening = dealt(alice, bob, "steady", hands=hands, opener=opener, **free)
    if moment.startswith("asked"):
        evening.says(0, bid("1x2"))
    if moment == "asked in vain":
        evening.clock_strikes(rolls=None)
        assert evening.state.turn == 1
    assert evening.game.bots_due is for_bots


@pytest.mark.django_db(transaction=True)
def test_a_tick_with_nothing_due_asks_the_database_once(alice: User, bob: User) -> None:
    open_table(alice, bob, now=timezone.now())
    watch = scheduler.Watch()

    def asked_so_far() -> int:
        connection.force_debug_cursor = True
        return len(connection.queries_log)

    async def scene() -> None:
        await scheduler._tick(watch)  # the first one also looks for a downtime
        before = await done(asked_so_far)
        await scheduler._tick(watch)
        assert await done(asked_so_far) == before + 1

    on_the_wire(scene)


def test_a_game_that_is_over_is_never_due(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    evening.says(0, LEAVE)
    Game.objects.update(due_at=EVENING)  # nothing in the site writes that
    assert scheduler.due(now=LATE).codes == []


def test_the_scheduler_plays_for_absent_players(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    scheduler.run_due(evening.code, now=LATE)
    assert evening.state.bidder == 0


def test_the_clock_closes_an_abandoned_table(alice: User) -> None:
    game = open_table(alice, "steady")
    closes = EVENING + timedelta(minutes=60)
    scheduler.run_due(game.code, now=closes - timedelta(seconds=1))
    assert Game.objects.get().status == Game.Status.OPEN
    assert scheduler.due(now=closes).codes == [game.code]
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
    for code in scheduler.due(now=LATE).codes:
        scheduler.run_due(code, now=LATE)
    assert sound.state.bidder == 0
    assert broken.code not in scheduler.due(now=LATE).codes


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
    assert scheduler.due(now=LATE).codes == []


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
