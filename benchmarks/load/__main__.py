"""Measures the site and both floors in one run; benchmarks.load.report draws what came out.

Each cell is one target, a game of the site or a floor, with so many tables of six: first every
table plays as fast as it can (closed loop), then a move every three seconds or so (open loop).
Measured is the time from a click to the last of the six screens. The targets take turns, so that
other load on the machine affects all of them; the clients are in this process, the servers in
theirs.
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
from contextlib import AsyncExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.load.clients import Clients
from benchmarks.load.measure import PACE, PACE_ALONE, Watch, by_kind, loop, some, spares
from benchmarks.load.targets import GAMES, SET_UPS, TARGETS, SetUp, Staging

TABLES = [1, 10, 50, 100, 200]
WATCHERS = [0, 10, 100, 1000]
MOVES_WATCHED = 45  # three rounds; a game has enough of them for all steps
WARM_MOVES = 30  # not measured
MOVES_IN_TURN = 50
OLD_ROUNDS = 60
AGED = "perudo"  # its frames once grew with the rounds of a game
OLD_TABLES = 4
MOVES_BY_AGE = 30
PACKAGES = ("Django", "channels", "daphne", "channels-redis", "psycopg", "aiohttp")

Row = dict[str, Any]


async def cell(
    staging: Staging, target: str, game: str, set_up: SetUp, tables: int, chosen: Any
) -> list[Row]:
    """One target with so many tables, as fast as it goes and then at the pace of people."""
    with staging.running(target, set_up, game) as running:
        posts = not target.endswith("-socket")
        clients = Clients(running.play, running.urls, mixed=set_up.mixed, posts=posts)
        watch = Watch(running, staging.redis)
        spare = spares(tables, chosen.seconds + chosen.warm)
        await clients.connect(running.tables[: tables + spare], spare=spare)
        try:
            closed = await loop(clients, watch, chosen.seconds, pace=None, warm=chosen.warm)
            pace = PACE_ALONE if tables == 1 else PACE
            opened = await loop(clients, watch, chosen.seconds, pace=pace)
        finally:
            await clients.close()
    about = {"set_up": set_up.key, "target": target, "game": game, "tables": tables}
    return [about | closed, about | opened]


async def watched(
    staging: Staging, target: str, game: str, counts: list[int], moves: int
) -> list[Row]:
    """One table with more and more spectators, and what their idle sockets take."""
    rows: list[Row] = []
    with staging.running(target, SET_UPS[0], game) as running:
        clients, watch = Clients(running.play, running.urls), Watch(running, staging.redis)
        await clients.connect(running.tables[:1])
        table = clients.tables[0]
        try:
            await some(clients, watch, [table], 5)
            there = 0
            for count in counts:
                memory, new = watch.memory(), count - there
                await clients.watch(table, new)
                there = count
                # A few sockets would not show beside what the server takes for other things.
                enough = new >= 50
                each = round((watch.memory() - memory) / new / 1024, 1) if enough else None
                await some(clients, watch, [table], 5)
                measured = await some(clients, watch, [table], moves)
                rows.append({"target": target, "watchers": count, "kb_a_socket": each} | measured)
        finally:
            await clients.close()
    return rows


async def by_age(staging: Staging, moves: int) -> list[Row]:
    """The same moves of the site in games just begun and in games of many rounds."""
    rows: list[Row] = []
    with staging.running("site", SET_UPS[0], AGED) as running:
        clients, watch = Clients(running.play, running.urls), Watch(running, staging.redis)
        await clients.connect(running.tables)
        half = len(clients.tables) // 2
        ages = {0: clients.tables[:half], staging.rounds: clients.tables[half:]}
        try:
            for tables in ages.values():
                await some(clients, watch, tables, 15)
            for _ in range(2):  # in turn, so that both have the same machine
                for rounds, tables in ages.items():
                    rows.append({"rounds": rounds} | await some(clients, watch, tables, moves))
        finally:
            await clients.close()
    return rows


async def kinds_of_moves(staging: Staging, games: list[str], moves: int) -> list[Row]:
    """What each kind of move costs at one table; the servers of all games take turns."""
    found: dict[str, dict[str, list[tuple[float, int]]]] = {game: {} for game in games}
    async with AsyncExitStack() as stack:
        measured = {}
        servers = {
            game: stack.enter_context(staging.running("site", SET_UPS[0], game)) for game in games
        }
        for game, running in servers.items():
            clients = Clients(running.play, running.urls)
            stack.push_async_callback(clients.close)
            await clients.connect(running.tables, spare=len(running.tables) - 1)
            measured[game] = clients, Watch(running, staging.redis)
            await by_kind(*measured[game], WARM_MOVES)
        for _ in range(0, moves, MOVES_IN_TURN):
            for game, (clients, watch) in measured.items():
                for do, spent in (await by_kind(clients, watch, MOVES_IN_TURN)).items():
                    found[game].setdefault(do, []).extend(spent)
                if clients.measured.lost:
                    raise SystemExit(f"A frame of {game} was lost.")
    return [
        {
            "game": game,
            "do": do,
            "moves": len(spent),
            "cpu_ms": round(statistics.fmean(cpu for cpu, _ in spent), 2),
            "median_cpu_ms": round(statistics.median(cpu for cpu, _ in spent), 2),
            "frame_bytes": round(statistics.median(size for _, size in spent)),
        }
        for game, kinds in found.items()
        for do, spent in kinds.items()
    ]


async def frame_bytes(staging: Staging, game: str) -> int:
    """The size of the site's frames that half of them stay below, in the first rounds of a game."""
    with staging.running("site", SET_UPS[0], game) as running:
        clients, watch = Clients(running.play, running.urls), Watch(running, staging.redis)
        await clients.connect(running.tables[:1])
        try:
            await some(clients, watch, clients.tables, MOVES_WATCHED)
        finally:
            await clients.close()
    return round(statistics.median(clients.measured.sizes))


@contextmanager
def staged(chosen: Any) -> Iterator[tuple[Staging, Staging]]:
    """The servers' data: one for all cells, one whose games differ in age."""
    most = max(n + spares(n, chosen.seconds + chosen.warm) for n in chosen.tables)
    with tempfile.TemporaryDirectory(prefix="perudo-load-") as folder:
        both = []
        for name, tables, rounds in (("all", most, None), ("ages", 2 * OLD_TABLES, OLD_ROUNDS)):
            (Path(folder) / name).mkdir()
            both.append(
                Staging(Path(folder) / name, tables, chosen.postgres, chosen.redis, rounds=rounds)
            )
        try:
            yield both[0], both[1]
        finally:
            for staging in both:
                staging.close()


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
    first, *_ = chosen.game
    targets = [
        (target, game)
        for target in chosen.targets
        for game in (chosen.game if target.startswith("site") else [""])
    ]
    with staged(chosen) as (staging, ages):
        staging.frame_bytes = results["frame_bytes"] = asyncio.run(frame_bytes(staging, first))
        print(f"The median frame of {first} has {staging.frame_bytes} bytes.", flush=True)
        results["kinds"] = asyncio.run(kinds_of_moves(staging, chosen.game, chosen.moves))
        for row in results["kinds"]:
            print(
                f"{row['game']:12} {row['do']:8} {row['moves']:4} moves"
                f"  CPU {row['cpu_ms']:.2f} ms (median {row['median_cpu_ms']:.2f})"
                f"  {row['frame_bytes']} bytes a frame",
                flush=True,
            )
        for set_up in (each for each in SET_UPS if each.key in chosen.set_ups):
            for tables in chosen.tables:
                for target, game in targets:
                    rows = asyncio.run(cell(staging, target, game, set_up, tables, chosen))
                    results["cells"] += rows
                    for row in rows:
                        name = f"{target} {game}"
                        say(f"{set_up.key:10} {tables:3} tables  {name:21}  {row['loop']:6}", row)
        for target in chosen.targets if chosen.watchers else ():
            game = first if target.startswith("site") else ""
            rows = asyncio.run(watched(staging, target, game, chosen.watchers, MOVES_WATCHED))
            results["watched"] += rows
            for row in rows:
                say(f"watched by {row['watchers']:4}  {target:12}", row)
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
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS)
    parser.add_argument(
        "--game",
        nargs="+",
        choices=GAMES,
        default=GAMES,
        help="of the site; the floors send frames of the size of the first one's",
    )
    parser.add_argument("--set-ups", nargs="+", choices=keys, default=keys)
    parser.add_argument("--seconds", type=float, default=8.0, help="measured for each loop")
    parser.add_argument("--warm", type=float, default=2.0, help="played before, and not counted")
    parser.add_argument("--moves", type=int, default=400, help="measured one by one, by their kind")
    parser.add_argument("--watchers", type=int, nargs="*", default=WATCHERS)
    parser.add_argument("--no-age", dest="age", action="store_false", help="leave out old games")
    parser.add_argument("--quick", action="store_true", help="1 and 10 tables on SQLite, 3 s")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.tables, chosen.set_ups, chosen.seconds, chosen.warm = [1, 10], keys[:1], 3.0, 1.0
        chosen.watchers, chosen.age, chosen.moves = [], False, 100
    # Every player is two connections.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    results = run(chosen)
    if chosen.json:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n")
    rows = results["cells"] + results["watched"] + results["age"]
    lost = sum(row["lost"] for row in rows)
    refused = sum(row["failed"] for row in rows if row.get("target", "site").startswith("site"))
    moves = sum(row["moves"] for row in rows)
    print(f"{moves} moves, {lost} frames lost, {refused} moves refused by the site.")
    return 1 if lost or refused else 0


if __name__ == "__main__":
    sys.exit(main())
