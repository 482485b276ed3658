"""A real server of this site in a process and a data folder of its own, for tests from outside."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.support import forked

ROOT = Path(__file__).resolve().parents[2]
# What counts by the hour, and what counts by the minute or at once.
UNLIMITED = (
    dict.fromkeys(("GUESTS_PER_HOUR", "SIGNUPS_PER_HOUR"), "1000000")
    | {
        f"{what}_PER_{whom}": "1000000"
        for what in ("GETS", "POSTS", "SOCKETS", "OPENINGS", "TABLES", "MESSAGES")
        for whom in ("PERSON", "ADDRESS")
    }
    | dict.fromkeys(("GETS_AT_ONCE", "FILES_PER_ADDRESS", "CONNECTIONS_PER_ADDRESS"), "1000000")
    | {"RUNNING_GAMES": "1000000", "RUNNING_GAMES_WITH_BOTS": "1000000"}
    | {"OPEN_TABLES_PER_ADDRESS": "1000000"}
)
# Many sign up at the servers of the tests.
QUICK_SIGN_UP = {"DJANGO_SETTINGS_MODULE": "tests.support.quick_sign_up_settings"}
PREPARED = ROOT / ".pytest_cache" / "prepared"
# For httpx: the servers speak plain HTTP, and to read the certificates of the world's authorities
# for each client takes twenty milliseconds.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# What ends each message of a socket: the server's time. A heartbeat is nothing else.
STAMP = re.compile(r"<!-- now \d{13} -->$")
PATIENCE = 60  # seconds; a busy machine with two cores is slow now and then


def clean_environment(**changes: str) -> dict[str, str]:
    """This machine's environment without any setting of the site's but the ones given."""
    ours = ("ALLOWED_HOSTS", "BEHIND_PROXIES", "DATABASE_URL", "DEBUG", "EMAIL_URL", "HTTPS")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    for name in ("REDIS_URL", "SECRET_KEY", "DATA_DIR", "METRICS_PORT", "STATIC_ROOT", "PUSH_KEY"):
        kept.pop(name, None)
    return kept | {"DJANGO_SETTINGS_MODULE": "perudo_site.settings"} | changes


def manage(
    *words: str, patience: float = 5 * PATIENCE, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs the real manage.py; never raises, the caller looks at what came out."""
    with TemporaryFile() as out, TemporaryFile() as err:
        process = forked.begin([*words], clean_environment(**environment), out, err)
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        told = [_text_of(file) for file in (out, err)]
    return subprocess.CompletedProcess(words, code, *told)


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def until_closed(socket: ClientConnection, *, within: float = 10) -> ConnectionClosed:
    """How it was closed; what is sent before that is read and forgotten."""
    while True:
        try:
            socket.recv(timeout=within)
        except ConnectionClosed as closed:
            return closed


def prepare(folder: Path) -> None:
    """What `make run` does before it serves: a migrated SQLite file and the collected files."""
    for words in (("migrate",), ("collectstatic", "--no-input")):
        done = manage(*words, "--verbosity", "0", DATA_DIR=str(folder))
        assert done.returncode == 0, done.stderr


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Of several processes that work on this folder one goes on, and the others wait."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepared() -> Path:
    """A folder that `prepare` has filled for the code as it is now; sites are copies of it.

    It is kept for later runs, as it takes ten seconds of a processor; of several processes one
    fills it and the others wait. Those for another code go when nobody has used them for a day.
    """
    kept = PREPARED / _digest_of_the_code()
    folder, ready = kept / "data", kept / "ready"
    with one_at_a_time(kept):
        if not ready.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            prepare(folder)
        ready.touch()
    yesterday = time.time() - 24 * 3600
    for other in PREPARED.glob("*/ready"):
        with suppress(FileNotFoundError):  # somebody else clears up too
            if other.stat().st_mtime < yesterday:
                shutil.rmtree(other.parent, ignore_errors=True)
    return folder


def _digest_of_the_code() -> str:
    """Another one whenever a file of the site or an installed package is another."""
    mark = sha256()
    for part in ("accounts", "games", "perudo_site"):
        for file in sorted((ROOT / part).rglob("*")):
            if file.is_file() and not {"__pycache__", "tests"} & set(file.relative_to(ROOT).parts):
                mark.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    packages = sorted(Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    mark.update(repr([package.name for package in packages]).encode())
    return mark.hexdigest()[:16]


def free_port() -> int:
    """A port nobody listens on, below those that the system gives away by itself meanwhile."""
    while True:
        port = 15_000 + secrets.randbelow(15_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class LiveSite:
    """One server process. `url` stays the same over restarts; `folder` holds data and log."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ws_url = f"ws://127.0.0.1:{self.port}"
        # Every visitor of the tests comes from one address.
        self.environment: dict[str, Any] = UNLIMITED | environment | {"DATA_DIR": str(folder)}
        self.process: subprocess.Popen[bytes] | forked.Forked | None = None

    @classmethod
    def of(cls, prepared: Path, folder: Path, **environment: str) -> LiveSite:
        """A site on its own copy of a prepared folder."""
        shutil.copytree(prepared, folder, ignore=shutil.ignore_patterns("static", "server.lock"))
        (folder / "static").symlink_to(prepared / "static")
        return cls(folder, **environment)

    def begin(self) -> None:
        """Returns at once; nobody has asked the server for anything."""
        with (self.folder / "server.log").open("ab") as log:
            words = ["serve", "--port", str(self.port)]
            self.process = forked.begin(words, clean_environment(**self.environment), log, log)

    def start(self) -> None:
        """Returns once the server answers."""
        self.begin()
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, f"The server ended:\n{self.log}"
            assert time.monotonic() < deadline, f"The server does not answer:\n{self.log}"
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", timeout=5, verify=NO_TLS).is_success
        except httpx.TransportError:
            return False

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def stop(self) -> None:
        """The polite end, as a service manager does it."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """The rude end: kill -9, as a power cut does it."""
        self._end(signal.SIGKILL)

    def discard(self) -> None:
        """Kill it at the end of a test; coverage is written by a polite end alone."""
        if "COVERAGE_PROCESS_CONFIG" in os.environ:
            with suppress(subprocess.TimeoutExpired):
                self.stop()
        self.kill()

    def restart(self) -> None:
        self.stop()
        self.start()

    @property
    def log(self) -> str:
        """Everything the server wrote so far."""
        file = self.folder / "server.log"
        return file.read_text() if file.exists() else ""

    @property
    def peak(self) -> int:
        """The most memory the process has had since `forget_peak`, in MB."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) // 1024

    def forget_peak(self) -> int:
        """The memory of the process now, in MB."""
        assert self.process is not None
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        return self.peak

    def manage(self, *words: str) -> str:
        """Runs manage.py on this site's data and returns what it printed."""
        done = manage(*words, **self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def client(self, **headers: str) -> Iterator[httpx.Client]:
        """A visitor without a browser, who has been here before: the form token is ready."""
        with httpx.Client(
            base_url=self.url,
            follow_redirects=True,
            timeout=PATIENCE,
            verify=NO_TLS,
            headers={"Referer": f"{self.url}/"} | headers,
        ) as client:
            client.get("/account/login/").raise_for_status()
            client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
            yield client

    @contextmanager
    def guest(self, **headers: str) -> Iterator[httpx.Client]:
        """A visitor who plays as a guest."""
        with self.client(**headers) as client:
            client.post("/account/guest", data={"next": "/account/"}).raise_for_status()
            client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
            yield client
