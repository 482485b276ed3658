"""The deadline of shutdown, whatever hangs in the process."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import psycopg
import pytest
from websockets.sync.client import connect

from perudo_site.server import daphne, shutdown
from perudo_site.settings import SHUTDOWN_SECONDS
from tests.conftest import new_database
from tests.live import PATIENCE, ROOT, LiveSite, until_closed
from tests.wire.people import wait_until

NewSite = Callable[..., LiveSite]


@pytest.fixture
def hanging_site(new_site: NewSite) -> Iterator[LiveSite]:
    """One of its threads hangs in a view, and would for a day."""
    site = new_site(DJANGO_SETTINGS_MODULE="tests.site.short_timeouts", SHUTDOWN_SECONDS="5")
    site.start()

    def ask() -> None:
        with suppress(httpx.TransportError):
            httpx.get(f"{site.url}/account/login/?sleep=86400", timeout=PATIENCE)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_until(lambda: "asleep" in site.log, "the view")
    yield site
    site.kill()
    asking.join(PATIENCE)


@pytest.mark.real_server
def test_a_hanging_thread_does_not_delay_shutdown(hanging_site: LiveSite) -> None:
    """Sockets are closed in good order, then the stacks say where it hung."""
    process = hanging_site.process
    assert process is not None
    with connect(f"{hanging_site.ws_url}/ws/lobby", origin=hanging_site.url) as one:
        one.recv(timeout=10)
        process.send_signal(signal.SIGTERM)
        farewell = until_closed(one).rcvd
        assert farewell is not None and farewell.code == 1012
    assert process.wait(PATIENCE) == -signal.SIGALRM
    assert "_sleep_in_a_view" in hanging_site.log
    assert "shutdown step timed out step=requests" in hanging_site.log


@pytest.mark.real_server
def test_a_hanging_database_does_not_delay_shutdown(
    new_site: NewSite, migrated_postgres: str
) -> None:
    """The scheduler waits for it in the middle of a tick."""
    with new_database(like=migrated_postgres) as address:
        site = new_site(DATABASE_URL=address, SHUTDOWN_SECONDS="5")
        site.start()
        assert site.process is not None
        with psycopg.connect(address) as held:
            held.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
            waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
            wait_until(lambda: held.execute(waiting).fetchone(), "the clock")
            site.process.send_signal(signal.SIGTERM)
            assert site.process.wait(PATIENCE) == -signal.SIGALRM
        assert "shutdown step timed out step=requests" in site.log
        assert "in run_due" in site.log or "in overdue" in site.log


def test_the_timeouts_of_the_steps_fit_into_the_deadline() -> None:
    steps = [
        value
        for name, value in vars(daphne).items()
        if name.endswith("_SECONDS") and name != "CLOSE_INTERVAL_SECONDS"
    ]
    assert len(steps) == 7
    assert sum(steps) < shutdown.DEFAULT_SECONDS


def test_systemd_waits_longer_than_the_deadline() -> None:
    unit = (ROOT / "deploy/systemd/perudo@.service").read_text()
    [patience] = re.findall(r"(?m)^TimeoutStopSec=(\d+)$", unit)
    assert int(patience) > SHUTDOWN_SECONDS
