"""A whole site as it is hosted: nginx, two processes, PostgreSQL and Redis, from deploy/."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from deploy.cluster import METRICS
from tests.support.deployments import QUICK
from tests.support.fixtures import new_database, unavailable
from tests.support.live_site import PATIENCE, ROOT, clean_environment, free_port
from tests.support.players import Address, HttpPlayer, player_factory
from tests.support.site_database import SiteDatabase


class HostedSite:
    """The site behind nginx at `url`; `folder` holds its log and its data."""

    def __init__(self, folder: Path, port: int, **environment: str) -> None:
        self.folder, self.port = folder, port
        self.url, self.ws_url = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self.ports = [port + 1, port + 2]
        self.database = SiteDatabase(folder, environment["DATABASE_URL"])
        self.environment = {"DATA_DIR": str(folder)} | environment
        with (folder / "cluster.log").open("ab") as log:
            self.starter = subprocess.Popen(
                [sys.executable, "deploy/cluster.py", "--port", str(port)],
                cwd=ROOT,
                env=clean_environment(**self.environment),
                stdout=log,
                stderr=log,
            )
        self.wait_for("all are ready", patience=5 * PATIENCE)  # it migrates first

    @property
    def log(self) -> str:
        return (self.folder / "cluster.log").read_text()

    def wait_for(self, words: str, *, patience: float = PATIENCE) -> None:
        deadline = time.monotonic() + patience
        while words not in self.log:
            assert self.starter.poll() is None, self.log
            assert time.monotonic() < deadline, f"never said “{words}”:\n{self.log}"
            time.sleep(0.1)

    def pid(self, port: int) -> int:
        """The process that listens on this port now."""
        return int(re.findall(rf"process {port} runs as (\d+)", self.log)[-1])

    @property
    def processes(self) -> list[Address]:
        """Where each of its processes is reached by somebody whom no proxy has sent."""
        return [Address(f"http://127.0.0.1:{at}") for at in self.ports]

    def sockets(self, kind: str) -> list[int]:
        """How many of these each process serves."""
        return [int(self.number(port, "perudo_sockets", kind=kind)) for port in self.ports]

    def number(self, port: int, name: str, **labels: str) -> float:
        """A number this process shows, summed over all labels not given."""
        text = httpx.get(f"http://127.0.0.1:{port + METRICS}/metrics").text
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    @contextmanager
    def nobody_revived(self) -> Iterator[None]:
        """A process that dies in here is restarted only after it."""
        self.starter.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.starter.send_signal(signal.SIGCONT)

    def wait_until_ready(self) -> None:
        """Until all processes serve; one that a test has killed is restarted."""
        deadline = time.monotonic() + 2 * PATIENCE
        while not all(is_ready(port) for port in self.ports):
            assert time.monotonic() < deadline, self.log
            time.sleep(0.1)

    def end(self) -> None:
        self.starter.send_signal(signal.SIGTERM)
        self.starter.wait(PATIENCE)


@pytest.fixture(scope="session")
def needs_nginx() -> None:
    if shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None:
        unavailable("nginx is not installed")


def is_ready(port: int) -> bool:
    """Whether the process at this port serves."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz").is_success
    except httpx.TransportError:
        return False


@pytest.fixture
def hosted(hosted_site: HostedSite) -> HostedSite:
    """The one hosted site, with all its processes: a test that failed may have left one dead."""
    hosted_site.wait_until_ready()
    return hosted_site


@pytest.fixture(scope="session")
def hosted_site(
    needs_nginx: None,
    needs_redis: str,
    prepared_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[HostedSite]:
    """One hosted site for all tests."""
    folder = tmp_path_factory.mktemp("hosted") / "site"
    folder.mkdir()
    (folder / "static").symlink_to(prepared_folder / "static")
    with new_database(made=False) as database:  # the starter makes it
        environment = QUICK | {
            "DATABASE_URL": database,
            "REDIS_URL": needs_redis,
            "GUESTS_PER_HOUR": "1000000",
            "LOG_LEVEL": "INFO",
        }
        site = HostedSite(folder, quiet_ports(), **environment)
        try:
            yield site
        finally:
            site.end()
    assert site.starter.returncode == 0
    assert "Traceback" not in site.log, site.log
    assert '"levelname": "ERROR"' not in site.log, site.log


def quiet_ports() -> int:
    """A port below those that others are given, with its neighbours free."""
    return 10_000 + free_port() % 3_900


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    """Creates visitors and closes their sessions at the end."""
    with player_factory() as new_player:
        yield new_player
