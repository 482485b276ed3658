"""Several processes on one database: each due game is tried by one of them, and none is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from games.live.redis_layer import PEER_SECONDS
from games.play.shards import GRACE
from tests.support.deployments import Deployment, run_deployment
from tests.support.fixtures import new_database
from tests.support.live_site import QUICK_SIGN_UP, LiveSite, free_port
from tests.support.players import wait_for
from tests.support.services import Redis

pytestmark = [pytest.mark.real_server, pytest.mark.slow]

TABLES = 20
TIMES = QUICK_SIGN_UP | {"BOT_SECONDS": "1.5", "REVEAL_SECONDS": "1", "LOG_LEVEL": "ERROR"}


@dataclass
class Processes:
    """A site of several processes, with the codes of its tables of bots."""

    deployment: Deployment
    ports: list[int]  # of the metrics
    codes: list[str]

    def tries(self) -> Counter[str]:
        """How often schedulers have tried to advance a game, by result, in all that run."""
        return self.numbers("perudo_clock_woken_total", "result")

    def numbers(self, name: str, label: str) -> Counter[str]:
        """The sum of a metric over all processes that run, by this label of it."""
        found: Counter[str] = Counter()
        running = zip(self.deployment.processes, self.ports, strict=True)
        for text in [read(port) for site, port in running if site.process is not None]:
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    if sample.name == name:
                        found[sample.labels[label]] += int(sample.value)
        return found

    def stands(self) -> dict[str, int]:
        """The number of the latest change of each table that is not over."""
        query = "SELECT code, seq FROM games_game WHERE status = 'playing'"
        return dict(self.deployment.database.rows(query))

    def wait_until_all_move(self, *, seconds: float) -> float:
        """Wait until each table has moved on; how many seconds that took."""
        began, before = monotonic(), self.stands()
        assert len(before) > TABLES / 2

        def left() -> list[str]:
            now = self.stands()
            return [code for code, seq in before.items() if now.get(code, seq + 1) == seq]

        while (waiting := left()) and monotonic() - began < seconds:
            sleep(0.2)
        assert waiting == []
        return monotonic() - began


def read(port: int) -> str:
    return httpx.get(f"http://127.0.0.1:{port}/metrics").text


@pytest.fixture(params=[2, 3])
def processes(
    request: pytest.FixtureRequest,
    redis: Redis,
    migrated_postgres: str,
    prepared_folder: Path,
    tmp_path: Path,
) -> Iterator[Processes]:
    with new_database(like=migrated_postgres) as database:
        environment = TIMES | {"REDIS_URL": redis.url, "DATABASE_URL": database}
        ports = [free_port() for _ in range(request.param)]
        folder = tmp_path / "site"
        first = LiveSite.of(prepared_folder, folder, **environment, METRICS_PORT=str(ports[0]))
        others = [LiveSite(folder, **environment, METRICS_PORT=str(port)) for port in ports[1:]]
        with run_deployment([first, *others], database) as deployment:
            made = first.manage(
                "shell",
                "-v",
                "0",
                "-c",
                f"from tests.support.bot_tables import fill; fill({TABLES})",
            )
            yield Processes(deployment, ports, made.split())


def test_each_due_game_is_tried_by_one_process(processes: Processes) -> None:
    """Also those of which no process has set the deadline, as all of them at first."""
    wait_for(lambda: processes.tries()["done"] >= TABLES, "a move at each table")
    wait_for(lambda: processes.tries()["done"] >= TABLES * 8, "some moves at each table")
    tries = processes.tries()
    # A busy machine may keep a process from its games for longer than the grace.
    assert tries["beaten"] + tries["not due"] <= tries["done"] * 0.05, tries
    assert tries["set aside"] == 0
    lags = processes.numbers("perudo_bot_lag_seconds_bucket", "le")
    assert lags["1.0"] > lags["+Inf"] * 0.6, "most games are played before the grace is over"
    for port in processes.ports:
        assert 'perudo_clock_woken_total{result="done"}' in read(port), "all of them play"


def test_the_games_of_a_process_that_is_killed_go_on(processes: Processes) -> None:
    wait_for(lambda: processes.tries()["done"] >= TABLES * 3, "some moves at each table")
    processes.deployment.processes[1].kill()
    took = processes.wait_until_all_move(seconds=20)
    # The grace again where the one that comes next was the one that was killed.
    assert took < PEER_SECONDS + 2 * GRACE.total_seconds() + 5
    processes.wait_until_all_move(seconds=20)


def test_games_go_on_without_redis(processes: Processes, redis: Redis) -> None:
    wait_for(lambda: processes.tries()["done"] >= TABLES * 3, "some moves at each table")
    redis.stop()
    sleep(PEER_SECONDS + 1)  # each process takes itself to be alone
    processes.deployment.processes[1].kill()
    for _ in range(2):
        assert processes.wait_until_all_move(seconds=20) < 10
