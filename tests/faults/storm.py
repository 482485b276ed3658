"""A storm: a site, its services and a crowd, and faults that come at moments drawn from a seed."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeAlias

from tests.faults import checks
from tests.faults.crowd import Crowd
from tests.support.deployments import QUICK
from tests.support.forked import Forked
from tests.support.live_site import LiveSite, manage
from tests.support.services import Postgres, Redis, clock_faker
from tests.support.site_database import SiteDatabase

PACE = QUICK | {"BOT_SECONDS": "0.3", "REVEAL_SECONDS": "30", "LOG_LEVEL": "WARNING"}
HOUR = 3600
# How long the site is left alone before the checks run.
CALM_SECONDS = 2.0
# After a fault a process waits for moves under way, and then gives back what it took.
SETTLED_SECONDS = 4.0
# After a fault the crowd plays on within this time, pauses of its sockets and a busy machine
# included.
PLAYED_ON_SECONDS = 60.0
STACKS_SECONDS = 10.0
# A process that takes longer to stop writes its stacks.
SLOW_STOP_SECONDS = 6.0

run = asyncio.to_thread


@dataclass
class Deployment:
    """A site of one process or two, with what it stands on."""

    sites: list[LiveSite]
    database: SiteDatabase
    postgres: Postgres | None = None
    redis: Redis | None = None
    jumps: Path | None = None  # how far the wall clocks are off: "+3600"

    @property
    def log(self) -> str:
        return self.sites[0].log

    @property
    def addresses(self) -> list[str]:
        return [site.url for site in self.sites]


@asynccontextmanager
async def open_deployment(
    folder: Path, prepared: Path, *, grown_up: bool, jumping: bool, **environment: str
) -> AsyncIterator[Deployment]:
    """PostgreSQL, Redis and two processes, or one process on a SQLite file."""
    postgres = redis = jumps = None
    settings = PACE | environment
    try:
        if jumping:
            jumps = folder / "jumps"
            jumps.write_text("+0")
            settings |= {
                "LD_PRELOAD": clock_faker(),
                "FAKETIME_TIMESTAMP_FILE": str(jumps),
                "FAKETIME_NO_CACHE": "1",  # the clock of one machine: set for every process at once
                # Debian's build has this on, and then no thread waits for Python's lock: each
                # takes it from the other at once, and two processes fill two cores.
                "FAKETIME_FORCE_MONOTONIC_FIX": "0",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "PYTHONPATH": str(Path(__file__).parent / "startup"),
                "PYTHONFAULTHANDLER": "1",
                "STACKS_FILE": str(folder / "stacks"),
            }
        if grown_up:
            postgres, redis = Postgres(), Redis(folder / "redis")
            await run(postgres.start)
            await run(redis.start)
            settings |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        first = LiveSite.of(prepared, folder / "site", **settings)
        sites = [first, LiveSite(first.folder, **settings)] if grown_up else [first]
        if postgres is not None:
            done = await run(manage, "migrate", "--verbosity", "0", DATABASE_URL=postgres.url)
            assert done.returncode == 0, done.stderr
        for site in sites:
            await run(site.start)
        database = SiteDatabase(first.folder, "" if postgres is None else postgres.url)
        yield Deployment(sites, database, postgres, redis, jumps)
    finally:
        for site in locals().get("sites", []):
            await run(site.kill)
        for service in (redis, postgres):
            if service is not None:
                await run(service.end)


# --- the faults ----------------------------------------------------------------------------------


Process: TypeAlias = "subprocess.Popen[bytes] | Forked"
Fault: TypeAlias = Callable[["Storm"], Awaitable[None]]


async def kill_a_process(storm: Storm) -> None:
    site = storm.rng.choice(storm.deployment.sites)
    await run(site.kill)
    await storm.soon()
    await run(site.start)


async def restart_one_after_the_other(storm: Storm) -> None:
    for site in storm.deployment.sites:
        await storm.end(site)
        await run(site.start)


async def freeze_a_process(storm: Storm) -> None:
    process = storm.rng.choice(storm.deployment.sites).process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    await storm.soon()
    process.send_signal(signal.SIGCONT)


async def cut_everybody_off(storm: Storm) -> None:
    for player in storm.crowd.players:
        player.drop_connections()


async def stop_redis(storm: Storm) -> None:
    how = storm.rng.choice([signal.SIGTERM, signal.SIGKILL])
    await run(storm.redis.stop, how)
    await storm.soon()
    await run(storm.redis.start)


async def freeze_redis(storm: Storm) -> None:
    with storm.redis.frozen():
        await storm.soon()


async def cut_redis_off(storm: Storm) -> None:
    await run(storm.redis.drop_connections)


async def restart_postgres(storm: Storm) -> None:
    await run(storm.postgres.stop, storm.rng.choice(["fast", "immediate"]))
    await storm.soon()
    await run(storm.postgres.start)


async def freeze_postgres(storm: Storm) -> None:
    with storm.postgres.frozen():
        await storm.soon()


async def cut_postgres_off(storm: Storm) -> None:
    await run(storm.postgres.drop_connections)


async def turn_the_clocks_on(storm: Storm) -> None:
    await storm.set_clocks(storm.rng.randint(60, HOUR))


async def turn_the_clocks_back(storm: Storm) -> None:
    await storm.set_clocks(-storm.rng.randint(60, HOUR))


ANYWHERE: tuple[Fault, ...] = (
    kill_a_process,
    restart_one_after_the_other,
    freeze_a_process,
    cut_everybody_off,
)
GROWN_UP: tuple[Fault, ...] = (
    stop_redis,
    freeze_redis,
    cut_redis_off,
    restart_postgres,
    freeze_postgres,
    cut_postgres_off,
)
JUMPS: tuple[Fault, ...] = (turn_the_clocks_on, turn_the_clocks_back)


@contextmanager
def _hearing(found: list[str]) -> Iterator[None]:
    try:
        yield
    except AssertionError as failed:
        found.append(str(failed))


@dataclass
class Storm:
    """Faults one after the other while the crowd plays; `seed` decides which, when and how long."""

    deployment: Deployment
    crowd: Crowd
    seed: int
    only: list[str] = field(default_factory=list)  # names of faults; empty: every possible one
    survived: Counter[str] = field(default_factory=Counter)
    history: list[str] = field(
        default_factory=list
    )  # the time by the processes' clocks, and a fault
    offset: int = 0  # of the wall clocks, in seconds
    # Ends of processes that were told to stop and did not end by themselves, in words.
    bad_ends: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311

    @property
    def postgres(self) -> Postgres:
        assert self.deployment.postgres is not None
        return self.deployment.postgres

    @property
    def redis(self) -> Redis:
        assert self.deployment.redis is not None
        return self.deployment.redis

    @property
    def possible(self) -> list[Fault]:
        """Every fault this deployment can have."""
        grown_up = GROWN_UP if self.deployment.postgres is not None else ()
        every = [*ANYWHERE, *grown_up, *(JUMPS if self.deployment.jumps else ())]
        return [fault for fault in every if not self.only or fault.__name__ in self.only]

    async def soon(self) -> None:
        await asyncio.sleep(self.rng.uniform(0.3, 5))

    async def set_clocks(self, by: int) -> None:
        """Set the clocks of all processes, once time that an earlier fault took is given back.

        A clock that is set meanwhile may cost somebody on turn their time.
        """
        assert self.deployment.jumps is not None
        await asyncio.sleep(SETTLED_SECONDS)
        self.offset += by
        whole = self.deployment.jumps.with_suffix(".new")
        whole.write_text(f"{self.offset:+d}")
        whole.replace(self.deployment.jumps)  # no process reads half of it

    async def end(self, site: LiveSite) -> None:
        """Tell a process to stop; what does not end well is noted, and the storm goes on."""
        process = site.process
        assert process is not None
        slow = asyncio.get_running_loop().call_later(SLOW_STOP_SECONDS, self._write_stacks, process)
        try:
            await run(site.stop)
        except subprocess.TimeoutExpired as late:
            process.send_signal(signal.SIGABRT)  # the stacks of its threads go to the log
            with suppress(subprocess.TimeoutExpired):
                await run(process.wait, STACKS_SECONDS)
            await run(site.kill)
            self.bad_ends.append(f"a process had not ended {late.timeout:.0f} s after SIGTERM")
        else:
            if process.returncode:
                self.bad_ends.append(f"a process ended with status {process.returncode}")
        finally:
            slow.cancel()

    def _write_stacks(self, process: Process) -> None:
        if self.deployment.jumps is not None:  # see startup/sitecustomize.py
            process.send_signal(signal.SIGUSR2)

    async def run_faults(self, *, seconds: float) -> None:
        """Every possible fault in a drawn order, then again in another one, until time is up."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            faults = self.possible
            self.rng.shuffle(faults)
            for fault in faults:
                await asyncio.sleep(self.rng.uniform(0.2, 1.5))
                await self.hit(fault)
                if time.monotonic() > ends:
                    return

    async def hit(self, fault: Fault) -> None:
        begun = time.time() + self.offset  # as the processes write it into their logs
        self.history.append(f"{time.strftime('%H:%M:%S', time.gmtime(begun))} {fault.__name__}")
        await fault(self)
        self.survived[fault.__name__] += 1

    async def played_on(self, moves: int) -> None:
        """Wait until so many more moves are acknowledged; TimeoutError if the crowd is stuck."""
        journal = self.crowd.journal
        enough = len(journal.acknowledged) + moves
        async with asyncio.timeout(PLAYED_ON_SECONDS):
            while len(journal.acknowledged) < enough:
                await asyncio.sleep(0.1)

    async def judge(self) -> dict[str, object]:
        """Raises AssertionError with the seed; otherwise what there was, in numbers."""
        await asyncio.sleep(CALM_SECONDS)
        await self.crowd.pause()
        database, journal = self.deployment.database, self.crowd.journal
        found: list[str] = []  # by one judge or another: all of them are heard
        moves, screens, said = 0, 0, Counter[str]()
        with _hearing(found):
            assert self.bad_ends == [], self.bad_ends
        with _hearing(found):
            checks.check_no_visible_errors(self.crowd)
        with _hearing(found):
            await checks.check_no_game_stuck(self.crowd, database)
        records = checks.Records(database, self.crowd.codes)
        with _hearing(found):
            moves = checks.check_acknowledged_moves_stored_once(records, journal.attempts)
        with _hearing(found):
            checks.check_logs_replay(records)
        with _hearing(found):
            checks.check_no_move_without_request(records, journal.attempts)
        with _hearing(found):
            screens = await checks.check_screens_match_fresh_pages(self.crowd)
        with _hearing(found):
            said = checks.check_server_log(self.deployment.log)
        if found:
            words = "\n\n".join(found)
            raise AssertionError(f"seed {self.seed}, {dict(self.survived)}:\n{words}")
        return {
            "games": len(records.codes),
            "games begun without anybody": len(records.logs) - len(records.codes),
            "moves acknowledged": moves,
            "moves without an answer": journal.cut_off,
            "moves over sockets": journal.over_sockets,
            "moves refused while the site was closed": journal.words["503"],
            "screens compared": screens,
            "sockets lost": sum(journal.lost.values()),
            "longest answer, s": round(max(journal.waits, default=0), 2),
            "median pause of a screen, s": round(median(journal.pauses or [0]), 2),
            "longest pause of a screen, s": round(max(journal.pauses, default=0), 2),
            "lines in the log": dict(said),
        }
