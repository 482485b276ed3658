"""A SQLite file that another process keeps locked: reads go on, and no write waits for long."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from perudo_site import circuit_breaker
from tests.support.live_site import LiveSite
from tests.support.players import wait_for
from tests.support.site_database import locked

# Seconds. Nobody waits for more than three (docs/architecture.md); the rest is for a busy machine.
WITHIN = 8.0
CATCHING = "The site is busy"


def table_of(guest: httpx.Client) -> str:
    """The address of a running game against bots, in which the clock has something to do."""
    answer = guest.post("/play-now", data={"bots": "5"})
    assert "/games/" in str(answer.url), answer.text
    return answer.url.path


@pytest.mark.real_server
@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_pages_are_served_while_another_process_locks_the_file(
    live_site: LiveSite, how: str
) -> None:
    answered: list[str] = []

    def read(path: str) -> None:
        with live_site.client() as stranger:
            assert stranger.get(path, timeout=WITHIN).status_code == 200, path
        answered.append(path)

    with live_site.guest() as guest, live_site.client() as stranger:
        table = table_of(guest)
        paths = ["/", "/rules", "/learn", table, "/account/login/", "/account/signup/", "/healthz"]
        with locked(live_site.folder, how=how), ThreadPoolExecutor(12) as people:
            writing = [
                people.submit(
                    one.post, path, data=data, headers={"HX-Request": "true"}, timeout=WITHIN
                )
                for one, path, data in (
                    (guest, f"{table}/say", {"phrase": "good_luck"}),
                    (stranger, "/account/guest", {}),
                )
            ]
            time.sleep(0.3)  # by now they wait on their threads
            reading = [people.submit(read, path) for path in paths]
            own = people.submit(guest.get, table, timeout=WITHIN)
            for one in reading:
                one.result()
            assert own.result().status_code == 200
            refused = [one.result() for one in writing]
            assert sorted(answered) == sorted(paths)  # and the lock is still held
        assert [one.status_code for one in refused] == [503, 503]
        assert all(CATCHING in one.text for one in refused)
        # For a second after a wait in vain no write waits, not even for the scheduler's.
        said = {"phrase": "good_luck"}
        wait_for(lambda: guest.post(f"{table}/say", data=said).is_success, "the site to write")


@pytest.mark.real_server
def test_no_move_waits_behind_others_for_a_locked_file(live_site: LiveSite) -> None:
    """Moves share a thread: each would wait three seconds after the one before it."""
    with live_site.guest() as guest:
        table = table_of(guest)
        with locked(live_site.folder), ThreadPoolExecutor(8) as people:
            move = {"do": "dudo", "seen": "1"}
            moves = [
                people.submit(guest.post, f"{table}/move", data=move, timeout=WITHIN)
                for _ in range(8)
            ]
            assert [move.result().status_code for move in moves] == [503] * 8


def test_after_a_wait_in_vain_nobody_waits_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(circuit_breaker, "monotonic", lambda: now)
    breaker = circuit_breaker.CircuitBreaker()
    assert not breaker.is_open()
    breaker.record_failure()
    assert breaker.is_open()
    now = 101.1
    assert not breaker.is_open()
