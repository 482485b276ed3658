"""A PostgreSQL and a Redis of a test's own, which it may stop, freeze and kill."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import redis

from tests.support.live_site import PATIENCE, free_port

# The cluster trusts everybody on this machine; the word is there to be looked for in the logs.
PASSWORD = "three-llamas-in-the-rain"
SERVICE_ACCOUNT = "postgres"


def programs(*names: str) -> dict[str, str]:
    """Where these programs are; Debian keeps PostgreSQL's beside the path. LookupError if not."""
    beside = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, beside)])
    found = {name: shutil.which(name, path=path) for name in names}
    missing = [name for name, where in found.items() if where is None]
    if missing:
        raise LookupError(f"{', '.join(missing)} not found")
    return {name: str(where) for name, where in found.items()}


class Postgres:
    """One cluster that keeps its promises: fsync is on, so that a crash loses nothing."""

    def __init__(self) -> None:
        # Not where tests keep their files: PostgreSQL refuses to run as root, and another account
        # may not look in there.
        self.home = Path(tempfile.mkdtemp(prefix="perudo-cluster-"))
        self.folder, self.port = self.home / "data", free_port()
        self.programs = programs("initdb", "pg_ctl")
        if os.geteuid() == 0:
            shutil.chown(self.home, SERVICE_ACCOUNT, SERVICE_ACCOUNT)
        self._run("initdb", "-D", str(self.folder), "-U", "perudo", "-A", "trust", "-E", "UTF8")

    @property
    def url(self) -> str:
        return f"postgres://perudo:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *words: str) -> None:
        command = [self.programs[program], *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", SERVICE_ACCOUNT, "--", *command]
        subprocess.run(command, cwd="/", check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k '' -c max_connections=60"
        log = str(self.folder / "server.log")
        self._run("pg_ctl", "-D", str(self.folder), "-o", options, "-l", log, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """`fast` ends every session politely, `immediate` is a crash."""
        self._run("pg_ctl", "-D", str(self.folder), "-m", mode, "-w", "stop")

    def drop_connections(self) -> None:
        """Ends every session from the server's side, under way or not."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Every connection stays open, and nothing comes back."""
        stopped = [self.pid, *_children(self.pid)]
        _signal(stopped, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(stopped, signal.SIGCONT)

    @property
    def pid(self) -> int:
        return int((self.folder / "postmaster.pid").read_text().split()[0])

    def end(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it lies dead already
            self.stop("immediate")
        shutil.rmtree(self.home)


class Redis:
    """A Redis that keeps nothing over a restart, like one that only passes messages on."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.program = programs("redis-server")["redis-server"]
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir()

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        words = f"--port {self.port} --bind 127.0.0.1 --appendonly no --requirepass {PASSWORD}"
        self.process = subprocess.Popen(
            [self.program, *words.split(), "--save", ""],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline and self.process.poll() is None, "no Redis"
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1) as server:
                return bool(server.ping())
        except redis.RedisError:
            return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def drop_connections(self) -> None:
        """Closes every connection from the server's side."""
        with redis.Redis.from_url(self.url) as server:
            for kind in ("pubsub", "normal"):
                server.client_kill_filter(_type=kind, skipme=True)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Connections stay open and new ones are taken, and nothing comes back."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @contextmanager
    def replicating(self) -> Iterator[None]:
        """It can only be read, as the old primary after a failover; its new primary is away."""
        with redis.Redis.from_url(self.url) as server:
            server.replicaof("127.0.0.1", free_port())
            try:
                yield
            finally:
                server.replicaof("no", "one")

    def end(self) -> None:
        self.stop(signal.SIGKILL)


def _children(pid: int) -> list[int]:
    """The processes this one has started and that still run."""
    read = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in read.split()]


def _signal(pids: list[int], which: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, which)


def clock_faker() -> str:
    """The library that shifts a process's wall clock. LookupError where it is not installed."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        raise LookupError("libfaketime not found")
    return str(found[0])
