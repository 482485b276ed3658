"""How long `manage.py copy_to` takes for a site with a long history, from SQLite to PostgreSQL.

A SQLite site of its own is filled by `tests.support.crowd`; its database is copied to a new one of
the given PostgreSQL, which is dropped afterwards. Printed are the rows, the size of the SQLite
file, the time on the clock, that of the program's processor, and its most memory.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
from psycopg import sql

from tests.support.live_site import clean_environment

ROOT = Path(__file__).resolve().parent.parent
NAME = "perudo_copying"


def run(*words: str, **environment: str) -> str:
    """What a program of this project prints; its progress is shown."""
    return subprocess.run(  # noqa: S603
        [sys.executable, *words],
        cwd=ROOT, env=clean_environment(**environment), check=True, text=True,
        stdout=subprocess.PIPE,
    ).stdout  # fmt: skip


def measure(folder: Path, address: str, *, games: int, people: int, pool: int) -> None:
    old, new = {"DATA_DIR": str(folder)}, {"DATA_DIR": str(folder), "DATABASE_URL": address}
    for environment in (old, new):
        run("manage.py", "migrate", "--verbosity", "0", **environment)
    history = ["--games", str(games), "--people", str(people), "--pool", str(pool)]
    run("-m", "tests.support.crowd", *history, **old)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    told = run("manage.py", "copy_to", address, **old)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    [rows] = re.findall(r"Copied (\d+) rows", told)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = (folder / "db.sqlite3").stat().st_size / 1e6
    print(f"{games:,} games, {int(rows):,} rows, {size:.0f} MB of SQLite")
    print(f"copied and compared in {took:.0f} s, {spent:.0f} s of a processor")
    print(f"at most {after.ru_maxrss / 1024:.0f} MB of memory, of this and what filled the site")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--pool", type=int, default=200, help="games really played")
    chosen = parser.parse_args()
    address = chosen.server.rpartition("/")[0] + f"/{NAME}"
    with psycopg.connect(chosen.server, autocommit=True) as server:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(NAME))
        server.execute(drop)
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(NAME)))
        try:
            with tempfile.TemporaryDirectory() as folder:
                measure(
                    Path(folder), address,
                    games=chosen.games, people=chosen.people, pool=chosen.pool,
                )  # fmt: skip
        finally:
            server.execute(drop)


if __name__ == "__main__":
    main()
