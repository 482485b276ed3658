"""What one visitor who floods the site with GET requests costs the others.

Two people play and a third opens the lobby, while another address asks for one page on many
keep-alive connections (at the lowest priority: `nice 19`). Moves and pages of the others are
measured without and with the attacker, in turns, in the same run, and what a refusal costs.

    python -m lab.get_flood                       one process, SQLite
    python -m lab.get_flood --set-up postgresql   one process, PostgreSQL and Redis
    python -m lab.get_flood --set-up nginx        two processes behind the shipped nginx file
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import aiohttp
import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # what the tests know of sites
logging.getLogger("httpx").setLevel("WARNING")

from benchmarks.load.measure import computed  # noqa: E402
from tests.deploy.conftest import HostedSite, quiet_ports  # noqa: E402
from tests.support import page_players  # noqa: E402
from tests.support.fixtures import new_database  # noqa: E402
from tests.support.flood import flood  # noqa: E402
from tests.support.http_client import Client, View  # noqa: E402
from tests.support.live_site import ROOT, LiveSite, manage, prepared  # noqa: E402

ATTACKER, PLAYERS, VISITOR = "127.0.0.2", "127.0.0.1", "127.0.0.3"
# Nobody waits but for the server; the limits are those of a new site.
SITE = {
    "CALZA_DELAY_MS": "0",
    "CLAIM_WINDOW_MS": "0",
    "REVEAL_SECONDS": "600",
    "LOG_LEVEL": "WARNING",
    "TABLES_PER_PERSON": "1000",
}
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/0")
SET_UPS = ("sqlite", "postgresql", "nginx")


# --- the attacker: a process of its own ----------------------------------------------------------


@contextmanager
def attacked(url: str, path: str, connections: int, seconds: float) -> Iterator[dict[str, int]]:
    """Attacks meanwhile; the answers by status are there at the end."""
    command = [sys.executable, "-m", "lab.get_flood", "--attack", url, path]
    command += [str(connections), str(seconds)]
    answers: dict[str, int] = {}
    with subprocess.Popen(  # noqa: S603
        ["/usr/bin/env", "nice", "-n", "19", *command], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None  # noqa: S101
        process.stdout.readline()  # it has begun
        yield answers
        answers |= json.loads(process.stdout.readline())


def attack(url: str, path: str, connections: str, seconds: str) -> None:
    """What the attacker's process does."""
    print("begun", flush=True)
    answers = flood(
        url, path, connections=int(connections), seconds=float(seconds), source=ATTACKER
    )
    print(json.dumps(asyncio.run(answers)))


# --- the others ----------------------------------------------------------------------------------


class Table:
    """Two people who play one game of Perudo after another."""

    def __init__(self, url: str) -> None:
        self.url, self.page_player = url, page_players.of("perudo")
        self.clients: list[Client] = []
        self.screens: list[View | None] = []
        self.code, self.made = "", 0
        self.listening: list[asyncio.Task[None]] = []

    async def arrive(self) -> None:
        for _ in range(2):
            connector = aiohttp.TCPConnector(local_addr=(PLAYERS, 0))
            self.clients.append(Client(self.url, connector=connector))
            await self.clients[-1].sign_up()
        await self.begin()

    async def begin(self) -> None:
        """Start a game at a new table."""
        for task in self.listening:
            task.cancel()
        host, other = self.clients
        self.code = await host.open_table(size=2, **self.page_player.TABLE)
        for client, action in ((other, "sit"), (host, "start")):
            if notice := await client.act(self.code, action):
                raise SystemExit(notice)
        self.screens, self.made = [None, None], 0
        self.listening = [asyncio.create_task(self._listen(seat)) for seat in (0, 1)]

    async def _listen(self, seat: int) -> None:
        socket = await self.clients[seat].connect(f"/ws/games/{self.code}?lang=en")
        async for message in socket:
            if isinstance(message.data, str) and (view := View.of(message.data)):
                self.screens[seat] = view

    async def move(self) -> float | None:
        """Seconds from a click to the answer, after the commit; None: the game is over."""
        while True:
            for client, view in zip(self.clients, self.screens, strict=True):
                action = view and self.page_player.fixed_action(view, self.made)
                if view and action:
                    self.made = 0 if action["do"] == "confirm" else self.made + 1
                    began = perf_counter()
                    await client.act(self.code, "move", **action, seen=view.seq)
                    took = perf_counter() - began
                    await self._until_shown(view.seq)
                    return took
            if any(view and view.phase == "over" for view in self.screens):
                return None
            await asyncio.sleep(0.005)

    async def _until_shown(self, seq: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while not all(view and view.seq > seq for view in self.screens):
                    await asyncio.sleep(0.005)

    async def play(self, seconds: float) -> list[float]:
        moves, until = list[float](), perf_counter() + seconds
        while perf_counter() < until:
            took = await self.move()
            if took is None:
                await self.begin()
            else:
                moves.append(took)
            await asyncio.sleep(0.2)
        return moves


async def open_pages(url: str, seconds: float) -> list[float]:
    """Seconds that each page of the lobby took."""
    taken, until = list[float](), perf_counter() + seconds
    client = Client(url, connector=aiohttp.TCPConnector(local_addr=(VISITOR, 0)))
    while perf_counter() < until:
        began = perf_counter()
        answer = await client.get("/")
        taken.append(perf_counter() - began)
        if answer.status_code != 200:
            print(f"a page was answered with {answer.status_code}", flush=True)
        await asyncio.sleep(0.4)
    await client.close()
    return taken


# --- the sites -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """Where it is reached, and its processes."""

    url: str
    pids: list[int]

    def computed(self) -> float:
        """Seconds of processor time so far."""
        return sum(map(computed, self.pids))


@contextmanager
def running(set_up: str, folder: Path, **environment: str) -> Iterator[Site]:
    if set_up == "nginx":
        folder.mkdir()
        (folder / "static").symlink_to(prepared() / "static")
        with new_database(made=False) as database:
            services = {"DATABASE_URL": database, "REDIS_URL": REDIS}
            hosted = HostedSite(folder, quiet_ports(), **SITE, **services, **environment)
            try:
                yield Site(hosted.url, [hosted.pid(port) for port in hosted.ports])
            finally:
                hosted.end()
    elif set_up == "postgresql":
        with new_database() as database:
            services = {"DATABASE_URL": database, "REDIS_URL": REDIS}
            with alone(folder, services | environment) as site:
                yield site
    else:
        with alone(folder, environment) as site:
            yield site


@contextmanager
def alone(folder: Path, environment: dict[str, str]) -> Iterator[Site]:
    """One process with the limits of a new site."""
    site = LiveSite.of(prepared(), folder)
    site.environment = SITE | environment | {"DATA_DIR": str(folder)}
    if "DATABASE_URL" in environment:
        done = manage("migrate", "--verbosity", "0", **site.environment)
        if done.returncode:
            raise SystemExit(done.stderr)
    site.start()
    assert site.process is not None  # noqa: S101
    try:
        yield Site(site.url, [site.process.pid])
    finally:
        site.stop()


# --- measuring -----------------------------------------------------------------------------------


async def measure(site: Site, given: argparse.Namespace) -> None:
    table = Table(site.url)
    await table.arrive()
    while await table.move() is not None:
        pass
    paths = given.path or ["/", f"/games/{table.code}/record.json", f"/games/{table.code}/replay/9"]
    await table.begin()
    print("page | connections | moves, ms | pages, ms | server busy | answers to the attacker")
    for path in paths:
        for connections in given.connections:
            quiet = await asyncio.gather(
                table.play(given.seconds), open_pages(site.url, given.seconds)
            )
            with attacked(site.url, path, connections, given.seconds + 1) as answers:
                before, began = site.computed(), perf_counter()
                loud = await asyncio.gather(
                    table.play(given.seconds), open_pages(site.url, given.seconds)
                )
                busy = (site.computed() - before) / (perf_counter() - began)
            moves, pages = (
                f"{shown(without)} → {shown(attack)}"
                for without, attack in zip(quiet, loud, strict=True)
            )
            kind = path.replace(path.split("/")[2], "…") if path.count("/") > 2 else path
            print(
                f"{kind} | {connections} | {moves} | {pages} | {busy:.0%} | {answers}", flush=True
            )
    for client in table.clients:
        await client.close()


def shown(taken: list[float]) -> str:
    return f"{1000 * median(taken):.0f} (at most {1000 * max(taken):.0f})"


def refusal(folder: Path, seconds: float) -> float:
    """Milliseconds of processor time of a refused GET, the new connections included."""
    with running("sqlite", folder, GETS_PER_ADDRESS="1") as site:
        with attacked(site.url, "/", 190, seconds) as answers:
            before = site.computed()
        return 1000 * (site.computed() - before) / answers["429"]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set-up", choices=SET_UPS, default="sqlite")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, nargs="+", default=[40, 190])
    parser.add_argument("--path", nargs="+", help="by default lobby, record and replay")
    parser.add_argument("--attack", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.attack:
        return attack(*given.attack)
    with tempfile.TemporaryDirectory() as folder:
        with running(given.set_up, Path(folder) / "site") as site:
            asyncio.run(measure(site, given))
        cost = refusal(Path(folder) / "refusing", given.seconds)
        print(f"a refused GET: {cost:.2f} ms of processor time")


if __name__ == "__main__":
    main()
