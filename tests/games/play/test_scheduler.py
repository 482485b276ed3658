"""The clock does what is due, one game after the other, and no broken game stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from time import sleep
from typing import Any

import pytest
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from accounts.models import User
from games import metrics
from games.errors import Refused
from games.models import FactRow, Game, heartbeat
from games.play import commands, due, scheduler
from games.play.clock import Clock
from games.play.jobs import Job
from perudo_site import jobs
from tests.faults.checks import check_server_log
from tests.support.consumer_socket import in_thread, run_async
from tests.support.fast_games import START, end_downtime, open_table
from tests.support.game_driver import LEAVE, all_rows, bid, deal_game
from tests.support.ticks import new_scheduler

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
LATE = START + timedelta(days=1)


def break_the_log(code: str) -> None:
    FactRow.unsealed.filter(game__code=code, kind="rolled").update(data={"dice": "2, 3, 4, 5, 6"})


def test_what_is_due_longest_comes_first(alice: User, bob: User) -> None:
    slow = deal_game(alice, bob, hands=HANDS, turn_seconds=60)
    fast = deal_game(alice, bob, hands=HANDS, turn_seconds=30)
    assert due.find(now=START + timedelta(seconds=29)).codes == []
    assert due.find(now=START + timedelta(seconds=30)).codes == [fast.code]
    assert due.find(now=START + timedelta(seconds=60)).codes == [fast.code, slow.code]


def test_games_that_are_skipped_keep_no_other_from_being_played(alice: User, bob: User) -> None:
    skipped = [deal_game(alice, bob, hands=HANDS, turn_seconds=30) for _ in range(2)]
    other = deal_game(alice, bob, hands=HANDS, turn_seconds=60)
    assert due.find(now=LATE).some_skipped is False
    Game.objects.filter(code__in=[driver.code for driver in skipped]).update(skipping=True)
    found = due.find(now=LATE)
    assert (found.codes, found.some_skipped) == ([other.code], True)


def test_where_more_is_due_than_a_tick_plays_some_of_it_may_be_skipped(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [deal_game(alice, bob, hands=HANDS, turn_seconds=seconds) for seconds in (30, 60, 45)]
    Game.objects.filter(code=games[2].code).update(skipping=True)
    monkeypatch.setattr(due, "PEOPLE_AT_ONCE", 1)
    monkeypatch.setattr(due, "BOTS_AT_ONCE", 0)
    found = due.find(now=LATE)
    assert (found.codes, found.some_skipped, found.is_all) == ([games[0].code], True, False)


def bots_game(host: User, *, holder: str, due_at: datetime, opponents: int = 1) -> str:
    """A game in which a bot is on turn, of somebody at this address."""
    hands = (HANDS * 4)[: opponents + 1]
    code = deal_game(host, *["steady"] * opponents, hands=hands, opener=1).code
    Game.objects.filter(code=code).update(holder=holder, due_at=due_at)
    return code


def test_peoples_time_comes_before_bots_and_every_holder_in_turn(
    alice: User, bob: User, charlie: User
) -> None:
    greedy = [
        bots_game(alice, holder="greedy", due_at=START + timedelta(seconds=second))
        for second in range(4)
    ]
    other = bots_game(charlie, holder="other", due_at=START + timedelta(seconds=10))
    people = deal_game(bob, charlie, hands=HANDS)
    found = due.find(now=START + timedelta(seconds=45))
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
    codes = [deal_game(bob, charlie, hands=HANDS).code for _ in range(2)]
    played: list[str] = []
    monkeypatch.setattr(due, "run_due", lambda code, **_: played.append(code))

    def with_no_time_for_bots(clock: Clock) -> list[Job]:
        every = jobs.of_the_scheduler(clock)
        return [replace(job, share=0.0) if job.name == "bots' moves" else job for job in every]

    ticking = new_scheduler(make_jobs=with_no_time_for_bots)
    ticking.clock.note_run()  # there was no downtime
    run_async(ticking.tick)
    assert sorted(played[:2]) == sorted(codes), "the last people too"
    assert len(played) == 3, "a move of a bot, as it would wait for ever"
    assert ticking.agenda.seconds_left() == 0, "more is due"


@pytest.mark.parametrize(
    ("moment", "for_bots"),
    [("a person's turn", False), ("a bot's turn", True), ("asked", True), ("asked in vain", False)],
)
def test_a_game_knows_whose_time_is_up(alice: User, bob: User, moment: str, for_bots: bool) -> None:
    hands = (*HANDS, (3, 3, 4, 4, 6))
    free = {"calza": "on", "calza_needs_lost_die": False}
    opener = 2 if moment == "a bot's turn" else 0
    driver = deal_game(alice, bob, "steady", hands=hands, opener=opener, **free)
    if moment.startswith("asked"):
        driver.move(0, bid("1x2"))
    if moment == "asked in vain":
        driver.run_due(rolls=None)
        assert driver.state.turn == 1
    assert driver.game.bots_due is for_bots


@pytest.mark.django_db(transaction=True)
def test_a_tick_with_nothing_due_asks_the_database_once(alice: User, bob: User) -> None:
    open_table(alice, bob, now=timezone.now())
    ticking = new_scheduler()

    def asked_so_far() -> int:
        connection.force_debug_cursor = True
        return len(connection.queries_log)

    async def scene() -> None:
        await ticking.tick()  # the first one also looks for a downtime
        before = await in_thread(asked_so_far)
        await ticking.tick()
        assert await in_thread(asked_so_far) == before + 1

    run_async(scene)


def test_a_game_that_is_over_is_never_due(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    driver.move(0, LEAVE)
    Game.objects.update(due_at=START)  # nothing in the site writes that
    assert due.find(now=LATE).codes == []


def test_the_scheduler_plays_for_absent_players(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    due.run_due(driver.code, now=LATE)
    assert driver.state.bidder == 0


def test_the_clock_closes_an_abandoned_table(alice: User) -> None:
    game = open_table(alice, "steady")
    closes = START + timedelta(minutes=60)
    due.run_due(game.code, now=closes - timedelta(seconds=1))
    assert Game.objects.get().status == Game.Status.OPEN
    assert due.find(now=closes).codes == [game.code]
    due.run_due(game.code, now=closes)
    closed = Game.objects.get()
    assert (closed.status, closed.due_at, closed.seq) == (Game.Status.CLOSED, None, game.seq + 1)


def test_a_game_whose_step_fails_is_set_aside_and_said_without_its_dice(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    break_the_log(driver.code)
    due.run_due(driver.code, now=LATE)
    assert driver.game.due_at == LATE + timedelta(minutes=1)
    assert f"game set aside game={driver.code}" in caplog.text
    assert "cannot be read" in caplog.text and "2, 3, 4, 5, 6" not in caplog.text


def test_a_broken_game_does_not_stop_the_others(alice: User, bob: User) -> None:
    broken = deal_game(alice, bob, hands=HANDS)
    sound = deal_game(alice, bob, hands=HANDS)
    break_the_log(broken.code)
    for code in due.find(now=LATE).codes:
        due.run_due(code, now=LATE)
    assert sound.state.bidder == 0
    assert broken.code not in due.find(now=LATE).codes


def test_an_outage_of_the_database_is_named_in_one_line_each(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In words that people and the judges of a storm find in the log."""

    def gone(*given: Any, **named: Any) -> None:
        raise OperationalError("the connection is lost\n\tand more about it")

    async def last_tick(ticking: scheduler.Scheduler) -> None:
        monkeypatch.setattr(scheduler, "_stopping", True)
        gone()

    driver = deal_game(alice, bob, hands=HANDS)
    monkeypatch.setattr(commands, "play_due", gone)
    due.run_due(driver.code, now=LATE)
    assert driver.game.due_at == LATE + timedelta(seconds=2)
    assert driver.game.failing_since is None, "it is no fault of this game's"
    monkeypatch.setattr(scheduler.Scheduler, "tick", last_tick)
    monkeypatch.setattr(scheduler, "_stopping", False)
    asyncio.run(new_scheduler().run())
    lines = [f"2026-01-01 12:00:00,000 WARNING clock: {one.getMessage()}" for one in caplog.records]
    assert len(lines) == 2
    assert check_server_log("\n".join(lines)).total() == 2


def test_a_race_the_clock_lost_is_no_failure(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def beaten(*given: Any, **named: Any) -> None:
        raise Refused("someone_faster")

    driver = deal_game(alice, bob, hands=HANDS)
    before = all_rows()
    monkeypatch.setattr(commands, "play_due", beaten)
    due.run_due(driver.code, now=LATE)
    assert all_rows() == before
    assert caplog.records == []


# --- jobs ----------------------------------------------------------------------------------------


DICE = "1, 2, 3, 4, 5"


def broken(error: type[Exception]) -> Callable[[datetime, float], bool]:
    def run(now: datetime, share: float) -> bool:
        raise error(DICE)

    return run


def names_of_the_first_tick() -> list[str]:
    return [job.name for job in jobs.of_the_scheduler(Clock()) if not job.first]


def all_but(name: str, error: type[Exception], ran: list[str]) -> Callable[[Clock], list[Job]]:
    """The scheduler's jobs, of which one fails; the names of the others are noted in `ran`."""

    def make_jobs(clock: Clock) -> list[Job]:
        def noting(job: Job) -> Job:
            def run(now: datetime, share: float) -> bool:
                ran.append(job.name)
                return job.run(now, share)

            return replace(job, run=broken(error) if job.name == name else run)

        return [noting(job) for job in jobs.of_the_scheduler(clock)]

    return make_jobs


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("error", [LookupError, OperationalError, InterfaceError])
def test_a_job_that_fails_stops_no_other(
    error: type[Exception], caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    """Whichever it is, and whether it is a bug or its table is locked; nor is it a downtime."""
    names = names_of_the_first_tick()
    for name in names:
        with subtests.test(name=name):
            call_command("flush", interactive=False, verbosity=0)
            caplog.clear()
            ran: list[str] = []
            ticking = new_scheduler(make_jobs=all_but(name, error, ran))
            run_async(ticking.tick)
            assert ran == [each for each in names if each != name]
            assert not ticking.clock.has_missed()
            assert ticking.agenda.seconds_left() < 5, "it is tried again"
            messages = [one.getMessage() for one in caplog.records]
            [said] = [each for each in messages if f"job={name}" in each]
            assert DICE not in said
            assert said.startswith("job failed" if error is LookupError else "job postponed")


@pytest.mark.django_db(transaction=True)
def test_where_the_database_is_away_no_further_job_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[str] = []

    def make_jobs(clock: Clock) -> list[Job]:
        return [
            Job("first", broken(OperationalError), every=0.0, share=1.0),
            Job("second", lambda now, share: bool(ran.append("second")), every=0.0, share=1.0),
        ]

    ticking = new_scheduler(make_jobs=make_jobs)
    run_async(ticking.tick)
    assert ran == ["second"]
    monkeypatch.setattr(heartbeat, "beat", lambda **_: broken(OperationalError)(LATE, 0.0))
    with pytest.raises(OperationalError):
        run_async(ticking.tick)
    assert ran == ["second"]


@pytest.mark.django_db(transaction=True)
def test_a_job_works_in_steps_for_its_share_and_goes_on_in_the_next_tick() -> None:
    shares: list[float] = []

    def endless(now: datetime, share: float) -> bool:
        shares.append(share)
        sleep(share)
        return True

    def make_jobs(clock: Clock) -> list[Job]:
        return [Job("endless", endless, every=60.0, share=0.05, again=0.0)]

    ticking = new_scheduler(make_jobs=make_jobs)
    run_async(ticking.tick)
    assert 2 <= len(shares) <= 10 and set(shares) == {0.005}
    assert ticking.agenda.seconds_left() == 0


# --- after a downtime ----------------------------------------------------------------------------


def test_everyone_gets_their_time_back(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    table = open_table(alice, bob)
    end_downtime(LATE - START, now=LATE)
    assert driver.game.due_at == LATE + timedelta(seconds=45)
    table.refresh_from_db()
    assert table.due_at == LATE + timedelta(minutes=60)
    assert due.find(now=LATE).codes == []


def test_a_broken_game_does_not_keep_the_others_from_getting_theirs(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = deal_game(alice, bob, hands=HANDS)
    sound = deal_game(alice, bob, hands=HANDS)
    FactRow.unsealed.filter(game__code=broken.code).update(data={})
    end_downtime(LATE - START, now=LATE)
    assert sound.game.due_at == LATE + timedelta(seconds=45)
    assert f"giving time back failed game={broken.code}" in caplog.text


# --- what became of a try ------------------------------------------------------------------------


def results() -> dict[str, float]:
    words = ("done", "beaten", "not due", "set aside")
    return {word: metrics.games_run.labels(word)._value.get() for word in words}


def test_tries_are_counted_by_what_became_of_them(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    ends = driver.game.due_at
    assert ends is not None

    def tried(code: str) -> list[str]:
        before = results()
        due.run_due(code, now=ends)
        return [word for word, number in results().items() if number > before[word]]

    waiting = open_table(alice, bob, now=START)
    Game.objects.filter(code=waiting.code).update(due_at=ends)
    assert tried(waiting.code) == ["done"]
    decide = commands.autoplay.decide

    def decide_while_another_plays(*args: object, **named: object) -> object:
        decision = decide(*args, **named)  # type: ignore[arg-type]
        monkeypatch.setattr(commands.autoplay, "decide", decide)
        commands.play_due(driver.code, now=ends)
        return decision

    monkeypatch.setattr(commands.autoplay, "decide", decide_while_another_plays)
    assert tried(driver.code) == ["beaten"]
    assert tried(driver.code) == ["not due"]
    ends = driver.game.due_at
    assert tried(driver.code) == ["done"]


# --- the loop ------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_once_wound_it_plays_by_itself_and_is_wound_only_once(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS, opener=1)

    async def run() -> None:
        scheduler.start(jobs.of_the_scheduler)
        running = scheduler._running
        scheduler.start(jobs.of_the_scheduler)
        assert scheduler._running is running and running is not None
        for _ in range(100):
            await asyncio.sleep(0.05)
            if await asyncio.to_thread(has_moved):
                break
        running.cancel()

    def has_moved() -> bool:
        try:
            return FactRow.objects.filter(kind="bid_made").exists()
        finally:
            connection.close()

    Game.objects.update(due_at=timezone.now(), turn_ends_at=timezone.now())
    asyncio.run(run())
    assert driver.state.bidder == 1


@pytest.mark.django_db(transaction=True)
def test_told_to_stop_it_finishes_the_game_in_hand_and_begins_no_other(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    evenings = [deal_game(person, "steady", hands=HANDS, opener=1) for person in (alice, bob)]
    Game.objects.update(due_at=timezone.now(), turn_ends_at=timezone.now())
    monkeypatch.setattr(scheduler, "_stopping", False)
    monkeypatch.setattr(scheduler, "_running", None)
    run_due = due.run_due

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

        monkeypatch.setattr(due, "run_due", run_and_be_told)
        scheduler.start(jobs.of_the_scheduler)
        await told.wait()
        await stopping[0]

    asyncio.run(run())
    assert sorted(str(driver.state.bidder) for driver in evenings) == ["1", "None"]
