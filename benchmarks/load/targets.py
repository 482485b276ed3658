"""The servers under load, each with a database of its own copied from a staged one."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from benchmarks.load.clients import Play, floor_play, site_play
from tests.support import page_players
from tests.support.live_site import PATIENCE, ROOT, LiveSite, clean_environment, manage

# How the site is set for the load: no move has to wait, and nothing is limited.
SITE = {
    "CALZA_DELAY_MS": "0",
    "CLAIM_WINDOW_MS": "0",
    "REVEAL_SECONDS": "600",
    "LOG_LEVEL": "WARNING",
}


class Floor(LiveSite):
    """The floor in place of the site; `FLOOR` in the environment says which."""

    def start(self) -> None:
        command = [*f"{sys.executable} -m daphne --verbosity 0 --bind 127.0.0.1 --port".split()]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [*command, str(self.port), "benchmarks.floor.asgi:application"],
                cwd=ROOT,
                env=clean_environment(**floor_environment(self.environment)),
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"The floor does not answer:\n{self.log}")
            time.sleep(0.05)


def floor_environment(environment: dict[str, str]) -> dict[str, str]:
    return environment | {"DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings"}


@dataclass(frozen=True)
class SetUp:
    """Where the data is kept, how processes hear of each other, and how many there are."""

    key: str
    title: str
    processes: int = 1
    services: bool = False  # PostgreSQL and Redis
    mixed: bool = False  # every table has people at all processes


SET_UPS = [
    SetUp("sqlite", "SQLite + memory"),
    SetUp("services-1", "PostgreSQL + Redis, 1 process", services=True),
    # As deploy/nginx sends people, and as they come where a proxy knows nothing of tables.
    SetUp("services-2", "PostgreSQL + Redis, 2 processes", services=True, processes=2),
    SetUp(
        "services-2-mixed",
        "PostgreSQL + Redis, 2 processes, every table at both",
        services=True,
        processes=2,
        mixed=True,
    ),
]
# Moves come by POST unless it says socket: the page of the site sends them over its own.
TARGETS = ["site-socket", "site-post", "stock", "tuned", "tuned-socket"]
# The games that can be measured: each has a module of its name here.
GAMES = ["perudo", "peco_peco"]


@dataclass
class Running:
    """Servers that serve, with what is staged in their database."""

    servers: list[LiveSite]
    tables: list[dict[str, Any]]
    play: Play
    database: str = ""  # its address, where it is not a file

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    @property
    def pids(self) -> list[int]:
        return [server.process.pid for server in self.servers if server.process]


@dataclass
class Staging:
    """Stages databases once and runs servers on copies of them."""

    folder: Path
    tables: int
    postgres: str
    redis: str
    seats: int = 6
    rounds: int | None = None  # see stage
    frame_bytes: int = 2000
    _staged: dict[tuple[str, bool], tuple[Path, str]] = field(default_factory=dict)

    @contextmanager
    def running(self, target: str, set_up: SetUp, game: str = "") -> Iterator[Running]:
        """Freshly started servers, gone with their data at the end; `game` is that of the site."""
        kind = game or "floor"
        staged, template = self._stage(kind, services=set_up.services)
        folder = self.folder / secrets.token_hex(4)
        shutil.copytree(staged, folder, ignore=shutil.ignore_patterns("static", "server.l*"))
        if (staged / "static").exists():
            (folder / "static").symlink_to(staged / "static")
        environment, database = dict(SITE), ""
        if kind == "floor":
            environment |= {
                "FLOOR": target.removesuffix("-socket"),
                "FLOOR_FRAME_BYTES": str(self.frame_bytes),
            }
        if set_up.services:
            database = self._database(template)
            environment |= {"DATABASE_URL": database, "REDIS_URL": self.redis}
        make = LiveSite if game else Floor
        servers = [make(folder, **environment) for _ in range(set_up.processes)]
        try:
            for server in servers:
                server.start()
            tables = json.loads((folder / "tables.json").read_text())
            play = site_play(page_players.of(game)) if game else floor_play
            yield Running(servers, tables, play, database)
            for server in servers:
                written = server.log.splitlines()
                if written:  # of the site all of it matters, of a floor what kind of trouble it is
                    shown = written[-40:] if game else written[-1:]
                    print(
                        f"{target} wrote {len(written)} lines:", *shown, sep="\n", file=sys.stderr
                    )
        finally:
            for server in servers:
                server.kill()
            if database:
                self._drop(database)
            shutil.rmtree(folder)

    def _stage(self, kind: str, *, services: bool) -> tuple[Path, str]:
        if (kind, services) not in self._staged:
            folder = self.folder / f"staged-{kind}-{'services' if services else 'file'}"
            folder.mkdir()
            environment, database = SITE | {"DATA_DIR": str(folder)}, ""
            if services:
                database = self._database("template1")
                environment["DATABASE_URL"] = database
            if kind == "floor":
                environment = floor_environment(environment) | {"FLOOR": "stock"}
            self._staged[kind, services] = folder, database  # from here on it will be dropped
            _must(manage("migrate", "--verbosity", "0", **environment))
            if kind == "floor":  # its tables point to those of the first call
                _must(manage("migrate", "--run-syncdb", "--verbosity", "0", **environment))
            else:
                _must(manage("collectstatic", "--no-input", "--verbosity", "0", **environment))
            command = [sys.executable, "-m", "benchmarks.load.stage", kind]
            command += ["--tables", str(self.tables), "--seats", str(self.seats)]
            command += ["--to", str(folder / "tables.json")]
            if self.rounds is not None:
                command += ["--rounds", str(self.rounds)]
            _must(
                subprocess.run(  # noqa: S603
                    command,
                    cwd=ROOT,
                    env=clean_environment(**environment),
                    capture_output=True,
                    text=True,
                    check=False,
                )
            )
        return self._staged[kind, services]

    def _database(self, template: str) -> str:
        """The address of a new database like `template`, a name or the address of a staged one."""
        name = f"perudo_load_{secrets.token_hex(6)}"
        like = urlsplit(template).path.lstrip("/") if "://" in template else template
        with psycopg.connect(self.postgres, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return urlunsplit(urlsplit(self.postgres)._replace(path=f"/{name}"))

    def _drop(self, database: str) -> None:
        name = urlsplit(database).path.lstrip("/")
        with psycopg.connect(self.postgres, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def close(self) -> None:
        for _, database in self._staged.values():
            if database:
                self._drop(database)


def _must(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        raise SystemExit(done.stderr)
