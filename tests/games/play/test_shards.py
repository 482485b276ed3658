"""Which process plays which due game: its own at once, those of others once they are overdue."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from games.play import alarm, due, shards
from games.play.clock import Clock
from games.play.shards import GRACE, Shards, Share
from tests.support.fast_games import START
from tests.support.game_driver import deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
CODES = [f"code{number}" for number in range(3000)]
PROCESSES = ("a" * 16, "b" * 16, "c" * 16)
SECOND = timedelta(seconds=1)
DUE = START + timedelta(minutes=1)


def first(code: str, processes: Collection[str]) -> str:
    """The process that comes first for a game, as each of them finds out by itself."""
    [found] = [each for each in processes if shards.rank(code, each, {*processes} - {each}) == 0]
    return found


def test_every_process_comes_first_for_about_as_many_games() -> None:
    counts = Counter(first(code, PROCESSES) for code in CODES)
    assert all(900 < counts[each] < 1100 for each in PROCESSES)


def test_when_a_process_leaves_only_its_games_go_to_others() -> None:
    gone, *left = PROCESSES
    before = {code: first(code, PROCESSES) for code in CODES}
    after = {code: first(code, left) for code in CODES}
    moved = {code for code in CODES if before[code] != after[code]}
    assert moved == {code for code in CODES if before[code] == gone}
    assert 400 < Counter(after[code] for code in moved)[left[0]] < 600


def test_the_order_is_the_same_in_every_process_and_version() -> None:
    """Python's own hash differs from process to process."""
    assert [first(code, PROCESSES)[0] for code in CODES[:12]] == list("bccaabbcabba")


def share(
    *, others: Collection[str] = PROCESSES[1:], mine: Collection[str] = (), now: datetime
) -> Share:
    return Share(PROCESSES[0], others, dict.fromkeys(mine, DUE), now)


def test_a_game_is_played_at_once_by_the_process_that_set_its_deadline_and_later_by_any() -> None:
    code = next(each for each in CODES if shards.rank(each, PROCESSES[0], PROCESSES[1:]) == 2)
    assert share(mine=[code], now=DUE).has(code, DUE)
    assert not share(mine=[code], now=DUE + SECOND).has(code, DUE + SECOND), "another set that"
    assert not share(now=DUE + 3 * GRACE - SECOND).has(code, DUE)
    assert share(now=DUE + 3 * GRACE).has(code, DUE), "the two before it stand still"
    assert not share(others=PROCESSES[1:2], now=DUE + 2 * GRACE - SECOND).has(code, DUE)
    assert share(others=PROCESSES[1:2], now=DUE + 2 * GRACE).has(code, DUE)


def test_one_process_has_no_share_but_everything() -> None:
    assert Shards().share(now=DUE) is None
    assert Shards("me", lambda: frozenset()).share(now=DUE) is None
    found = Shards("me", lambda: frozenset({"other"})).share(now=DUE)
    assert found == Share("me", frozenset({"other"}), {}, DUE)


# --- the deadlines that a process has set --------------------------------------------------------


def with_alarm(scene: Callable[[alarm.Alarm], None], *, after_sleep: bool) -> None:
    """Run a scene in the event loop of an alarm that knows of some deadlines."""

    async def run() -> None:
        clock = alarm.Alarm()
        clock._set("due", DUE)
        clock._set("later", DUE + 1000 * 365 * 24 * 3600 * SECOND)
        clock._set("replaced", DUE - 2 * SECOND)
        clock._set("replaced", DUE - SECOND)
        clock._set("over", DUE)
        if after_sleep:
            await clock.sleep(least=0.0, most=0.0)
        clock._set("over", None)
        scene(clock)

    asyncio.run(run())


@pytest.mark.parametrize("after_sleep", [False, True])
def test_an_alarm_knows_the_deadlines_that_have_passed(
    after_sleep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alarm, "_current", None)
    monkeypatch.setattr("games.play.alarm.timezone.now", lambda: DUE + SECOND)

    def scene(_: alarm.Alarm) -> None:
        assert alarm.passed(now=DUE) == {"replaced": DUE - SECOND, "due": DUE}
        assert alarm.passed(now=DUE - SECOND) == {"replaced": DUE - SECOND}
        assert alarm.passed(now=DUE + timedelta(minutes=2)) == {}
        monkeypatch.setattr(alarm, "_MOST_PASSED", 1)
        assert alarm.passed(now=DUE) == {"replaced": DUE - SECOND}

    with_alarm(scene, after_sleep=after_sleep)


def test_a_deadline_is_forgotten_unless_it_was_set_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "_current", None)
    monkeypatch.setattr("games.play.alarm.timezone.now", lambda: DUE + SECOND)

    def scene(clock: alarm.Alarm) -> None:
        clock._forget({"due": DUE - SECOND, "replaced": DUE - SECOND, "unknown": DUE})
        assert alarm.passed(now=DUE) == {"due": DUE}

    with_alarm(scene, after_sleep=True)


def test_without_a_scheduler_no_deadline_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "_current", None)
    alarm.forget({"due": DUE})
    assert alarm.passed(now=DUE) == {}


# --- what is found in the database ---------------------------------------------------------------


@pytest.fixture
def games(alice: User, bob: User) -> list[str]:
    """The codes of running games in which people's time is up at `DUE`, the first one first."""
    codes = [deal_game(alice, bob, hands=HANDS).code for _ in range(5)]
    for number, code in enumerate(codes):
        Game.objects.filter(code=code).update(due_at=DUE + number * timedelta(microseconds=1))
    return codes


def test_what_another_process_has_set_is_found_when_it_is_overdue(games: list[str]) -> None:
    Game.objects.update(due_at=DUE)
    ranks = {code: shards.rank(code, PROCESSES[0], PROCESSES[1:]) for code in games}
    mine = games[3]
    for late in range(4):
        found = due.find(now=DUE + late * GRACE, share=share(mine=[mine], now=DUE + late * GRACE))
        ours = [code for code in games if ranks[code] < late or code == mine]
        assert found.codes == ours and found.is_all
    assert len(found.codes) == 5
    assert due.find(now=DUE).codes == games, "alone"


def test_games_of_others_in_front_do_not_hide_those_of_this_process(
    games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "_PAGE", 2)
    monkeypatch.setattr(due, "PEOPLE_AT_ONCE", 1)
    monkeypatch.setattr(due, "BOTS_AT_ONCE", 0)
    monkeypatch.setattr(Share, "has", lambda self, code, due_at: code == games[4])
    assert due.find(now=DUE + GRACE * 2, share=share(now=DUE + GRACE * 2)).codes == [games[4]]
    Game.objects.update(skipping=True)
    assert due.skipped(now=DUE + GRACE * 2, share=share(now=DUE + GRACE * 2)) == [games[4]]


def test_a_tick_asks_the_database_once_whatever_others_have_set(games: list[str]) -> None:
    with CaptureQueriesContext(connection) as asked:
        due.find(now=DUE + SECOND, share=share(mine=games[:1], now=DUE + SECOND))
    assert len(asked) == 1


def test_deadlines_of_games_that_have_moved_on_are_forgotten(
    games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[set[str]] = []
    monkeypatch.setattr(alarm, "forget", lambda deadlines: forgotten.append(set(deadlines)))
    Game.objects.update(due_at=DUE)
    Game.objects.filter(code=games[1]).update(due_at=DUE + SECOND)  # another process set this
    Game.objects.filter(code=games[2]).update(due_at=DUE + timedelta(days=1))
    Game.objects.filter(code=games[3]).update(status=Game.Status.FINISHED, due_at=None)
    now = DUE + SECOND
    assert due.find(now=now, share=share(mine=games[:4], now=now)).codes == games[:1]
    assert forgotten == [set(games[1:4])]
    monkeypatch.setattr(due, "_PAGE", 1)
    monkeypatch.setattr(due, "PEOPLE_AT_ONCE", 0)
    monkeypatch.setattr(due, "BOTS_AT_ONCE", 0)
    due.find(now=now, share=share(mine=games[:4], now=now))
    assert len(forgotten) == 1, "not all of them were read"


def test_the_jobs_play_only_the_share_of_this_process(
    games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []
    monkeypatch.setattr(due, "run_due", lambda code, **_: played.append(code))
    monkeypatch.setattr(alarm, "passed", lambda *, now: {games[2]: DUE + 2 * timedelta.resolution})
    peers = set(PROCESSES[1:])
    job = due.DueGames(Clock(wall=lambda: START), Shards(PROCESSES[0], lambda: peers))
    now = DUE + SECOND
    while job.people(now, 1.0):
        pass
    assert played == [games[2]]
    peers.clear()  # Redis is away, say
    now += SECOND
    while job.people(now, 1.0):
        pass
    assert played == [games[2], *games]


def test_games_that_are_skipped_are_shared_too(
    games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []
    forgotten: list[set[str]] = []
    passed = {games[2]: DUE + 2 * timedelta.resolution, games[3]: DUE + 3 * timedelta.resolution}
    monkeypatch.setattr(due, "run_due", lambda code, **_: played.append(code))
    monkeypatch.setattr(alarm, "passed", lambda *, now: passed)
    monkeypatch.setattr(alarm, "forget", lambda deadlines: forgotten.append(set(deadlines)))
    Game.objects.exclude(code=games[3]).update(skipping=True)
    job = due.DueGames(Clock(wall=lambda: START), Shards(PROCESSES[0], lambda: PROCESSES[1:]))
    while job.people(DUE + SECOND, 1.0):
        pass
    for _ in range(5):
        job.skipped(DUE + SECOND, 1.0)
    assert played == [games[3], *[games[2]] * 5]
    assert not any(forgotten), "one that is due and not skipped has not moved on"
