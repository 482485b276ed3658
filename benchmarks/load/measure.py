"""What a cell of the table costs: its moves, how long they took, who computed for how long."""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import redis

from benchmarks.load.clients import Clients, Move, Table
from benchmarks.load.targets import Running

PACE = 3.0  # seconds a table thinks about a move in the open loop
PACE_ALONE = 0.5  # one table at that pace would give three moves
MOST_A_SECOND = 450  # moves, of any target; says how many spare games there must be
MOVES_A_GAME = 300  # or a few more


@dataclass
class Clocks:
    """Seconds computed so far, by who computed."""

    at: float
    server: float
    database: float
    messages: float
    client: float


class Watch:
    """Reads the clocks of running servers."""

    def __init__(self, running: Running, redis_url: str) -> None:
        self.running = running
        self.redis_pid = 0
        if running.database:
            with redis.Redis.from_url(redis_url) as server:
                self.redis_pid = int(server.info("server")["process_id"])

    def read(self) -> Clocks:
        return Clocks(
            at=time.perf_counter(),
            server=sum(map(computed, self.running.pids)),
            database=self._database(),
            messages=computed(self.redis_pid),
            client=time.process_time(),
        )

    def _database(self) -> float:
        """Of the processes that serve this database now; they last as long as the pool."""
        if not self.running.database:
            return 0.0
        name = urlsplit(self.running.database).path.lstrip("/")
        with psycopg.connect(self.running.database, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                [name],
            ).fetchall()
        return sum(computed(pid) for (pid,) in rows)

    def memory(self) -> int:
        """Bytes in memory of all server processes."""
        return sum(_resident(pid) for pid in self.running.pids)


def computed(pid: int) -> float:
    """Seconds this process has computed in all its threads; 0 where it cannot be seen from here.

    Linux keeps a clock for every process, finer than the ticks in /proc; this is its number.
    """
    if not pid:
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def spares(tables: int, seconds: float) -> int:
    """How many games must stand by so that every table can play on."""
    moves = MOST_A_SECOND * seconds
    if moves < 0.7 * MOVES_A_GAME * tables:
        return 0
    return round(moves / MOVES_A_GAME + tables / 2)


async def loop(
    clients: Clients, watch: Watch, seconds: float, *, pace: float | None, warm: float = 0.0
) -> dict[str, Any]:
    """Let the clients play; what happens in the first `warm` seconds does not count."""
    measured = clients.measured
    playing = asyncio.create_task(clients.run(warm + seconds, pace=pace))
    await asyncio.sleep(warm)
    lost, failed, before = measured.lost, measured.failed, watch.read()
    measured.moves.clear()
    await asyncio.sleep(seconds)
    after = watch.read()
    await playing
    if clients.ran_out:
        raise SystemExit("More games ended than were prepared: raise MOST_A_SECOND.")
    moves = [move for move in measured.moves if move.shown <= after.at or pace]
    return {
        "loop": "open" if pace else "closed",
        "pace": pace,
        "lost": measured.lost - lost,
        "failed": measured.failed - failed,
        **figures(moves, before, after),
    }


async def some(clients: Clients, watch: Watch, tables: list[Table], moves: int) -> dict[str, Any]:
    """So many moves at each of these tables, one after the other, by themselves."""
    measured = clients.measured
    measured.moves.clear()
    lost, failed, before = measured.lost, measured.failed, watch.read()
    for _ in range(moves):
        for table in tables:
            turn = clients.play(table)
            if turn is None:
                raise SystemExit("A game ended before it was measured.")
            await table.step(*turn, None)
    after = watch.read()
    return {
        "lost": measured.lost - lost,
        "failed": measured.failed - failed,
        **figures(measured.moves, before, after),
    }


async def by_kind(clients: Clients, watch: Watch, moves: int) -> dict[str, list[tuple[float, int]]]:
    """So many moves at the first table, one by one: of each kind the CPU ms of the servers and the
    bytes of a frame.
    """
    found: dict[str, list[tuple[float, int]]] = {}
    measured = clients.measured
    for _ in range(moves):
        while (turn := clients.play(clients.tables[0])) is None:
            clients.tables[0] = clients.spare.pop()
        measured.moves.clear()
        before = watch.read().server
        await clients.tables[0].step(*turn, None)
        spent = 1000 * (watch.read().server - before)
        for move in measured.moves:
            size = move.size // len(clients.tables[0].screens)
            found.setdefault(move.do, []).append((spent, size))
    return found


def figures(moves: list[Move], before: Clocks, after: Clocks) -> dict[str, Any]:
    seconds = after.at - before.at
    counted = [move for move in moves if move.shown <= after.at]
    taken = sorted(1000 * (move.shown - move.clicked) for move in moves)
    each = 1000 / max(1, len(counted))
    return {
        "seconds": round(seconds, 2),
        "moves": len(counted),
        "per_second": round(len(counted) / seconds, 1),
        "p50_ms": quantile(taken, 0.50),
        "p95_ms": quantile(taken, 0.95),
        "p99_ms": quantile(taken, 0.99),
        "cpu_ms": round(each * (after.server - before.server), 3),
        "database_ms": round(each * (after.database - before.database), 3),
        "redis_ms": round(each * (after.messages - before.messages), 3),
        "client_ms": round(each * (after.client - before.client), 3),
        "server_cores": round((after.server - before.server) / seconds, 2),
        "client_cores": round((after.client - before.client) / seconds, 2),
        "bytes": round(statistics.fmean(move.size for move in moves)) if moves else 0,
    }


def quantile(ordered: list[float], share: float) -> float | None:
    """None where nothing was measured."""
    if not ordered:
        return None
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)
