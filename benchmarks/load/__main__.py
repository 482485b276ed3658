"""Measures the site and both floors in one run; benchmarks.load.report draws what came out.

Each cell is one house with so many tables of six: first every table plays as fast as it can
(closed loop), then a move every three seconds or so (open loop). Measured is the time from a
click to the last of the six screens. Houses alternate, so that what else the machine does hits
all alike; the people are in this process, the servers in theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.load.crowd import Crowd
from benchmarks.load.houses import HOUSES, SET_UPS, SetUp, Street
from benchmarks.load.measure import PACE, PACE_ALONE, Watch, loop, some, spares

TABLES = [1, 10, 50, 100, 200]
WATCHERS = [0, 10, 100, 1000]
MOVES_WATCHED = 45  # three rounds; a game has enough of them for all steps
OLD_ROUNDS = 60
OLD_TABLES = 4
MOVES_BY_AGE = 30
PACKAGES = ("Django", "channels", "daphne", "channels-redis", "psycopg", "aiohttp")

Row = dict[str, Any]


async def cell(street: Street, house: str, set_up: SetUp, tables: int, chosen: Any) -> list[Row]:
    """One house with so many tables, as fast as it goes and then at the pace of people."""
    with street.house(house, set_up) as running:
        crowd = Crowd(running.play, running.urls, mixed=set_up.mixed)
        watch = Watch(running, street.redis)
        spare = spares(tables, chosen.seconds + chosen.warm)
        await crowd.arrive(running.tables[: tables + spare], spare=spare)
        try:
            closed = await loop(crowd, watch, chosen.seconds, pace=None, warm=chosen.warm)
            pace = PACE_ALONE if tables == 1 else PACE
            opened = await loop(crowd, watch, chosen.seconds, pace=pace)
        finally:
            await crowd.leave()
    about = {"set_up": set_up.key, "house": house, "tables": tables}
    return [about | closed, about | opened]


async def watched(street: Street, house: str, counts: list[int], moves: int) -> list[Row]:
    """One table that more and more strangers watch, and what their idle sockets take."""
    rows: list[Row] = []
    with street.house(house, SET_UPS[0]) as running:
        crowd, watch = Crowd(running.play, running.urls), Watch(running, street.redis)
        await crowd.arrive(running.tables[:1])
        table = crowd.tables[0]
        try:
            await some(crowd, watch, [table], 5)
            there = 0
            for count in counts:
                memory, new = watch.memory(), count - there
                await crowd.watch(table, new)
                there = count
                # A few sockets would not show beside what the server takes for other things.
                enough = new >= 50
                each = round((watch.memory() - memory) / new / 1024, 1) if enough else None
                await some(crowd, watch, [table], 5)
                measured = await some(crowd, watch, [table], moves)
                rows.append({"house": house, "watchers": count, "kb_a_socket": each} | measured)
        finally:
            await crowd.leave()
    return rows


async def by_age(street: Street, moves: int) -> list[Row]:
    """The same moves of the site in games just begun and in games of many rounds."""
    rows: list[Row] = []
    with street.house("site", SET_UPS[0]) as running:
        crowd, watch = Crowd(running.play, running.urls), Watch(running, street.redis)
        await crowd.arrive(running.tables)
        half = len(crowd.tables) // 2
        ages = {0: crowd.tables[:half], street.rounds: crowd.tables[half:]}
        try:
            for tables in ages.values():
                await some(crowd, watch, tables, 15)
            for _ in range(2):  # in turn, so that both have the same machine
                for rounds, tables in ages.items():
                    rows.append({"rounds": rounds} | await some(crowd, watch, tables, moves))
        finally:
            await crowd.leave()
    return rows


async def frame_bytes(street: Street) -> int:
    """The size of the site's frames that half of them stay below, in the first rounds of a game."""
    with street.house("site", SET_UPS[0]) as running:
        crowd, watch = Crowd(running.play, running.urls), Watch(running, street.redis)
        await crowd.arrive(running.tables[:1])
        try:
            await some(crowd, watch, crowd.tables, MOVES_WATCHED)
        finally:
            await crowd.leave()
    return round(statistics.median(crowd.told.sizes))


@contextmanager
def streets(chosen: Any) -> Iterator[tuple[Street, Street]]:
    """The servers' data: one for all cells, one whose games differ in age."""
    most = max(n + spares(n, chosen.seconds + chosen.warm) for n in chosen.tables)
    with tempfile.TemporaryDirectory(prefix="perudo-load-") as folder:
        both = []
        for name, tables, rounds in (("all", most, None), ("ages", 2 * OLD_TABLES, OLD_ROUNDS)):
            (Path(folder) / name).mkdir()
            both.append(
                Street(Path(folder) / name, tables, chosen.postgres, chosen.redis, rounds=rounds)
            )
        try:
            yield both[0], both[1]
        finally:
            for street in both:
                street.close()


def machine() -> Row:
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "when": time.strftime("%Y-%m-%d"),
        "processors": os.cpu_count(),
        "model": models[0] if models else platform.machine(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
    }


def run(chosen: Any) -> Row:
    results: Row = machine() | {"seconds": chosen.seconds, "cells": [], "watched": [], "age": []}
    with streets(chosen) as (street, ages):
        street.frame_bytes = results["frame_bytes"] = asyncio.run(frame_bytes(street))
        print(f"The site's median frame has {street.frame_bytes} bytes.", flush=True)
        for set_up in (each for each in SET_UPS if each.key in chosen.set_ups):
            for tables in chosen.tables:
                for house in chosen.houses:
                    rows = asyncio.run(cell(street, house, set_up, tables, chosen))
                    results["cells"] += rows
                    for row in rows:
                        say(f"{set_up.key:10} {tables:3} tables  {house:5}  {row['loop']:6}", row)
        for house in chosen.houses if chosen.watchers else ():
            rows = asyncio.run(watched(street, house, chosen.watchers, MOVES_WATCHED))
            results["watched"] += rows
            for row in rows:
                say(f"watched by {row['watchers']:4}  {house:5}", row)
        if chosen.age:
            results["age"] = asyncio.run(by_age(ages, MOVES_BY_AGE))
            for row in results["age"]:
                say(f"after {row['rounds']:2} rounds", row)
    return results


def say(what: str, row: Row) -> None:
    cpu = row["cpu_ms"] + row["database_ms"] + row["redis_ms"]
    print(
        f"{what}  {row['per_second']:6.1f}/s  p50 {row['p50_ms'] or 0:7.1f}  "
        f"p95 {row['p95_ms'] or 0:7.1f}  p99 {row['p99_ms'] or 0:7.1f} ms  "
        f"CPU {cpu:6.2f} ms  {row['bytes'] / 1000:7.1f} KB  "
        f"lost {row['lost']}  refused {row['failed']}  client {row['client_cores']:.2f} cores",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    keys = [each.key for each in SET_UPS]
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES)
    parser.add_argument("--houses", nargs="+", choices=HOUSES, default=HOUSES)
    parser.add_argument("--set-ups", nargs="+", choices=keys, default=keys)
    parser.add_argument("--seconds", type=float, default=8.0, help="measured for each loop")
    parser.add_argument("--warm", type=float, default=2.0, help="played before, and not counted")
    parser.add_argument("--watchers", type=int, nargs="*", default=WATCHERS)
    parser.add_argument("--no-age", dest="age", action="store_false", help="leave out old games")
    parser.add_argument("--quick", action="store_true", help="1 and 10 tables on SQLite, 3 s")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.tables, chosen.set_ups, chosen.seconds, chosen.warm = [1, 10], keys[:1], 3.0, 1.0
        chosen.watchers, chosen.age = [], False
    # Every person is two connections.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    results = run(chosen)
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n")
    rows = results["cells"] + results["watched"] + results["age"]
    lost = sum(row["lost"] for row in rows)
    refused = sum(row["failed"] for row in rows if row.get("house", "site") == "site")
    moves = sum(row["moves"] for row in rows)
    print(f"{moves} moves, {lost} frames lost, {refused} moves refused by the site.")
    return 1 if lost or refused else 0


if __name__ == "__main__":
    sys.exit(main())
