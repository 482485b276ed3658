"""The short storms: some faults, once. `python -m tests.faults` has all of them, for long."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from games.contract import catalogue
from tests.faults.crowd import Crowd
from tests.faults.storm import Deployment, Storm, open_deployment
from tests.support.fixtures import unavailable
from tests.support.live_site import LiveSite
from tests.support.players import wait_for
from tests.support.services import clock_faker, programs
from tests.support.site_database import SiteDatabase

pytestmark = [pytest.mark.real_server, pytest.mark.slow]
# What the crowd plays after each fault, before the next.
MOVES_BETWEEN_FAULTS = 5
# Another seed is another storm: PERUDO_STORM=7 runs the one that failed.
GAMES = [game.key for game in catalogue.every()]
SEED = int(os.environ.get("PERUDO_STORM", "1"))


async def run_storm(
    folder: Path, prepared: Path, *, grown_up: bool, only: list[str]
) -> dict[str, object]:
    async with open_deployment(folder, prepared, grown_up=grown_up, jumping=grown_up) as deployment:
        crowd = Crowd(
            deployment.addresses, seed=SEED, thinks=lambda rng: rng.uniform(0.1, 0.5), games=GAMES
        )
        storm = Storm(deployment, crowd, SEED, only=only)
        try:
            await crowd.fill(4)
            for fault in storm.possible:
                await storm.hit(fault)
                await storm.played_on(MOVES_BETWEEN_FAULTS)
            return await storm.judge()
        finally:
            await crowd.close_sockets()


@pytest.mark.long
def test_a_site_of_several_processes_survives_a_storm(
    prepared_folder: Path, tmp_path: Path
) -> None:
    only = ["kill_a_process", "stop_redis", "restart_postgres", "turn_the_clocks_on"]
    try:
        programs("initdb", "pg_ctl", "redis-server")
        clock_faker()
    except LookupError as missing:
        unavailable(f"This machine has no storms to offer: {missing}")
    found = asyncio.run(run_storm(tmp_path, prepared_folder, grown_up=True, only=only))
    print(found)
    assert found["games"] >= 4  # type: ignore[operator]
    assert found["moves acknowledged"] >= len(only) * MOVES_BETWEEN_FAULTS  # type: ignore[operator]
    assert found["moves over sockets"] > 0  # type: ignore[operator]


def test_a_deployment_of_one_process_is_killed_and_restarted(
    prepared_folder: Path, tmp_path: Path
) -> None:
    only = ["kill_a_process", "restart_one_after_the_other", "cut_everybody_off"]
    found = asyncio.run(run_storm(tmp_path, prepared_folder, grown_up=False, only=only))
    print(found)
    assert found["games"] >= 4  # type: ignore[operator]
    assert found["moves acknowledged"] >= len(only) * MOVES_BETWEEN_FAULTS  # type: ignore[operator]
    assert found["moves over sockets"] > 0  # type: ignore[operator]


def test_a_process_that_does_not_end_is_reported_and_the_storm_goes_on(
    new_site: Callable[..., LiveSite],
) -> None:
    site = new_site(DJANGO_SETTINGS_MODULE="tests.support.short_timeouts", SHUTDOWN_SECONDS="2")
    site.start()
    asking = socket.create_connection(("127.0.0.1", site.port))
    with asking:  # a page that takes a day
        asking.sendall(b"GET /account/login/?sleep=86400 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        wait_for(lambda: "asleep" in site.log, "the view")

        async def end() -> list[str]:
            crowd = Crowd([site.url], seed=SEED, thinks=lambda rng: 1.0, games=GAMES)
            storm = Storm(Deployment([site], SiteDatabase(site.folder)), crowd, SEED)
            await storm.end(site)
            await crowd.close_sockets()
            return storm.bad_ends

        assert asyncio.run(end()) == [f"a process ended with status {-signal.SIGALRM}"]
