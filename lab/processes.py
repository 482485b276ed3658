"""What processes of one site do for each other's tables, counted for each move.

For each number of processes a site of its own on PostgreSQL and Redis, with tables at which only
bots play and one spectator each, of whom a process serves as many as another. Printed are the moves
of some seconds and, for each of them:

- tries in vain: games that a scheduler tried while another one played them;
- messages: received from Redis by all processes, of groups and on the common channel;
- transactions of PostgreSQL, of which a statement outside of one is one;
- CPU of the processes, in ms.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import django
import httpx
import psycopg
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()  # for what the tests know of databases
logging.getLogger("httpx").setLevel("WARNING")

from tests.support.fixtures import new_database  # noqa: E402
from tests.support.live_site import (  # noqa: E402
    QUICK_SIGN_UP,
    LiveSite,
    free_port,
    manage,
    prepare,
)

TRIES, MESSAGES = "perudo_clock_woken_total", "perudo_layer_messages_total"
CPU, TRANSACTIONS = "process_cpu_seconds_total", "transactions"
COLUMNS = ("tables", "moves", "moves/s", "in vain", "group", "common", "transact.", "CPU ms")


@contextmanager
def running(
    folder: Path, number: int, redis: str, pace: str
) -> Iterator[tuple[list[LiveSite], str]]:
    """So many processes of a new site, and the address of its database."""
    with new_database() as database:
        environment = QUICK_SIGN_UP | {"REDIS_URL": redis, "DATABASE_URL": database}
        environment |= {"BOT_SECONDS": pace, "REVEAL_SECONDS": "1", "LOG_LEVEL": "WARNING"}
        made = manage("migrate", "--verbosity", "0", DATABASE_URL=database, DATA_DIR=str(folder))
        if made.returncode:
            raise SystemExit(made.stderr)
        sites = [
            LiveSite(folder, **environment, METRICS_PORT=str(free_port())) for _ in range(number)
        ]
        try:
            for site in sites:
                site.start()
            yield sites, database
        finally:
            for site in sites:
                site.kill()


def counted(sites: list[LiveSite], database: str) -> Counter[str]:
    """The sums of what the processes have counted, and of the transactions of the database."""
    found: Counter[str] = Counter()
    for site in sites:
        text = httpx.get(f"http://127.0.0.1:{site.environment['METRICS_PORT']}/metrics").text
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                if sample.name in (TRIES, MESSAGES, CPU):
                    found[" ".join((sample.name, *sample.labels.values()))] += sample.value  # type: ignore[assignment]
    name = urlsplit(database).path.lstrip("/")
    with psycopg.connect(database, autocommit=True) as connection:
        asked = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
        [[found[TRANSACTIONS]]] = connection.execute(asked, [name]).fetchall()
    return found


async def watched(
    sites: list[LiveSite], codes: list[str], database: str, seconds: float, warm: float
) -> tuple[Counter[str], float]:
    """What is counted while each table has a spectator, and in how many seconds."""

    async def look(code: str) -> None:
        site = sites[zlib.crc32(code.encode()) % len(sites)]
        async with connect(f"{site.ws_url}/ws/games/{code}", origin=site.url) as line:
            async for _ in line:
                pass

    lookers = [asyncio.create_task(look(code)) for code in codes]
    await asyncio.sleep(warm)
    before, began = counted(sites, database), time.monotonic()
    await asyncio.sleep(seconds)
    took, after = time.monotonic() - began, counted(sites, database)
    for looker in lookers:
        looker.cancel()
    await asyncio.gather(*lookers, return_exceptions=True)
    after.subtract(before)
    return after, took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--pace", default="8", help="BOT_SECONDS: how long a bot thinks")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--warm", type=float, default=20.0, help="before that")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    given = parser.parse_args()
    print(f"{'processes':10}" + "".join(f"{name:>10}" for name in COLUMNS))
    fill = f"from tests.support.bot_tables import fill; fill({given.tables})"
    for number in given.processes:
        with TemporaryDirectory(prefix="processes-") as folder:
            prepare(Path(folder))
            with running(Path(folder), number, given.redis, given.pace) as (sites, database):
                codes = sites[0].manage("shell", "-v", "0", "-c", fill).split()
                found, took = asyncio.run(
                    watched(sites, codes, database, given.seconds, given.warm)
                )
        print(f"{number:<10}" + row(found, took, len(codes)), flush=True)


def row(found: Counter[str], took: float, tables: int) -> str:
    moves = found[f"{TRIES} done"]
    in_vain = found[f"{TRIES} beaten"] + found[f"{TRIES} not due"]
    values = [
        f"{tables:10}{moves:10.0f}{moves / took:10.1f}{in_vain / moves:10.3f}",
        f"{found[f'{MESSAGES} group'] / moves:10.2f}{found[f'{MESSAGES} common'] / moves:10.2f}",
        f"{found[TRANSACTIONS] / moves:10.2f}{1000 * found[CPU] / moves:10.1f}",
    ]
    return "".join(values)


if __name__ == "__main__":
    main()
