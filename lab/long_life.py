"""What a page or a move costs after a million finished games, beside a site that has just begun.

Two PostgreSQL databases of its own are filled by `tests.support.crowd`: a great one, and a small
one with just enough games that every list of the measured pages is full. Two processes serve one
each, through Django's handler; the requests of both alternate, so that whatever else the machine
does hits both alike. Printed are, of each request, the number of queries, the median of the time
that processors computed for it (in the process and in the database's, which the neighbours on a
shared machine hardly change), the ratio of the two sites, and the ratio of the time on the clock
(the lower quartiles). A plan that reads the whole of a great table is named.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.support.live_site import clean_environment

ROOT = Path(__file__).resolve().parent.parent
SMALL_PEOPLE = 8
SAMPLE = 2_000  # games whose logs are also written in rows, to compare the sizes
TABLES = ("game", "seat", "round", "event", "packedlog", "result", "tally", "saying")


class Site:
    """A database and a process that serves it to the parent's questions."""

    def __init__(self, server: str, name: str, folder: Path) -> None:
        self.server, self.name = server, name
        self.url = server.rpartition("/")[0] + f"/{name}"
        self.environment = clean_environment(
            DATABASE_URL=self.url, DATA_DIR=str(folder), CALZA_DELAY_MS="0", LOG_LEVEL="WARNING",
            DEBUG="true",  # no collected files are needed; the asker turns Django's own part off
        )  # fmt: skip
        self.process: subprocess.Popen[str] | None = None

    def make(self, *, games: int, people: int, pool: int) -> None:
        started = time.monotonic()
        self.drop()
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self.name)))
        history = ["--games", str(games), "--people", str(people), "--pool", str(pool)]
        for words in (
            ["manage.py", "migrate", "--verbosity", "0"],
            ["-m", "tests.support.crowd", *history],
        ):
            subprocess.run(  # noqa: S603
                [sys.executable, *words],
                cwd=ROOT,
                env=self.environment,
                stdout=sys.stderr,
                check=True,
            )
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        say(f"{self.name} holds {games:,} games after {time.monotonic() - started:.0f} s")

    def drop(self) -> None:
        with psycopg.connect(self.server, autocommit=True) as connection:
            statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            connection.execute(statement.format(sql.Identifier(self.name)))

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lab.visits"],
            cwd=ROOT, env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, *question: Any) -> Any:
        assert self.process and self.process.stdin and self.process.stdout  # noqa: S101
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"the process of {self.name} is gone")
        return json.loads(answer)

    def stop(self) -> None:
        if self.process and self.process.stdin:
            self.process.stdin.close()
            self.process.wait(timeout=30)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def compare(small: Site, great: Site, *, times: int, only: Sequence[str]) -> None:
    """The table of the visits; the requests of both sites alternate."""
    names = [name for name in small.ask("names") if not only or name in only]
    print("| | queries | small | great | ratio | ratio on the clock |")
    print("|---|---|---|---|---|---|")
    for name in names:
        taken: dict[str, dict[str, list[tuple[float, float]]]] = {small.name: {}, great.name: {}}
        asked = {site.name: site.ask("queries", name) for site in (small, great)}
        for turn in range(times):
            for site in (small, great) if turn % 2 else (great, small):
                for step, seconds in site.ask("visit", name, turn).items():
                    taken[site.name].setdefault(step, []).extend(seconds)
        for step in taken[small.name]:
            both = [taken[site.name][step] for site in (small, great)]
            counts = [asked[site.name][step]["queries"] for site in (small, great)]
            whole = asked[great.name][step]["whole"]
            spent = [1000 * statistics.median(cpu for _, cpu in each) for each in both]
            clock = [statistics.quantiles((wall for wall, _ in each), n=4)[0] for each in both]
            queries = str(counts[0]) if counts[0] == counts[1] else f"{counts[0]} / {counts[1]}"
            note = f" reads all of {', '.join(whole)}" if whole else ""
            print(
                f"| {step} | {queries} | {spent[0]:.1f} ms | {spent[1]:.1f} ms "
                f"| {spent[1] / spent[0]:.2f}{note} | {clock[1] / clock[0]:.2f} |",
                flush=True,
            )


def sizes(great: Site) -> None:
    """What lies on disk, and what the logs would take in rows."""
    with psycopg.connect(great.url, autocommit=True) as connection:
        print("\n| table | rows | MB | of it indexes |\n|---|---|---|---|")
        for table in TABLES:
            name = f"games_{table}"
            [(rows, whole, indexes)] = connection.execute(
                f"SELECT (SELECT count(*) FROM {name}), pg_total_relation_size('{name}'),"  # noqa: S608
                f" pg_indexes_size('{name}')"
            ).fetchall()
            print(f"| {table} | {rows:,} | {whole / 1e6:,.0f} | {indexes / 1e6:,.0f} |")
        [(packed,)] = connection.execute(
            "SELECT pg_total_relation_size('games_packedlog') / count(*) FROM games_packedlog"
        ).fetchall()
    in_rows = great.ask("log in rows", SAMPLE)
    print(
        f"\nA game's log takes {in_rows / 1000:.1f} KB in rows, "
        f"{packed / 1000:.2f} KB packed: {packed / in_rows:.0%}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--games", type=int, default=1_000_000, help="a million takes about an hour to store"
    )
    parser.add_argument("--small", type=int, default=5_000, help="games of the small site")
    parser.add_argument("--people", type=int, help="default: a tenth of the games")
    parser.add_argument("--pool", type=int, default=2_000, help="games really played")
    parser.add_argument("--times", type=int, default=100, help="visits to each page")
    parser.add_argument("--only", nargs="+", default=[], help="visits by their names in visits.py")
    parser.add_argument("--server", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--keep", action="store_true", help="leave the databases")
    parser.add_argument(
        "--again", action="store_true", help="measure the great database that was kept"
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small = Site(chosen.server, "perudo_long_life_small", Path(folder))
        great = Site(chosen.server, "perudo_long_life_great", Path(folder))
        try:
            small.make(games=chosen.small, people=SMALL_PEOPLE, pool=chosen.pool)
            if not chosen.again:
                people = chosen.people or max(SMALL_PEOPLE, chosen.games // 10)
                great.make(games=chosen.games, people=people, pool=chosen.pool)
            for site in (small, great):
                site.start()
            compare(small, great, times=chosen.times, only=chosen.only)
            sizes(great)
        finally:
            for site in (small, great):
                site.stop()
                if not chosen.keep:
                    site.drop()


if __name__ == "__main__":
    main()
