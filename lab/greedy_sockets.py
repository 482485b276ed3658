"""What addresses that ask as much as they can over WebSockets cost the others.

Two people play while other addresses hold many sockets and ask the same thing over all of them, as
often as a socket may (at the lowest priority: `nice 19`). Measured are the moves of the two and, on
SQLite, how late the clocks of eight tables are at which nobody moves: without and with the
attackers, in the same run.

    python -m lab.greedy_sockets                       one process, SQLite
    python -m lab.greedy_sockets --set-up nginx        two processes behind the shipped nginx
    python -m lab.greedy_sockets --says look --addresses 10 --sockets 2000

`--says reconnect` opens each socket again and again instead, `--says view` tells that the page is
hidden and in view in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from lab.get_flood import ROOT, SET_UPS, Site, Table, running, shown
from lab.greedy_address import TURN_SECONDS, lags, opens_tables

FIRST_ATTACKER = 20  # 127.0.0.20 and the next
# One second less than a minute of messages: a socket that says more is closed.
EVERY_SECONDS = 60 / 118
SAYS = ("look", "ping", "view", "x", "reconnect", "mix")


# --- the attackers: a process of its own ---------------------------------------------------------


class Line(asyncio.Protocol):
    """A socket that counts what it is sent, and reads none of it."""

    def __init__(self, heard: Counter[str]) -> None:
        self.heard, self.is_open, self.tail = heard, asyncio.Event(), b""
        self.is_over = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if not self.is_open.is_set():
            self.heard[data[9:12].decode()] += 1
            self.is_open.set()
        self.heard["answers"] += data.count(b"<!-- now ")
        self.heard["bytes"] += len(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open.set()
        self.is_over.set()

    def say(self, word: bytes) -> None:
        mask = b"\0\0\0\0"
        self.transport.write(bytes([0x81, 0x80 | len(word)]) + mask + word)  # type: ignore[attr-defined]


async def hold(
    url: str, path: str, *, says: str, source: str, number: int, heard: Counter[str]
) -> None:
    """One socket of the address `source`, opened again where it is closed."""
    at, loop = urlsplit(url), asyncio.get_running_loop()
    key = b64encode(b"sixteen bytes...").decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\nOrigin: {url}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()
    words = {"view": ("hidden", "shown"), "mix": ("look", "ping", "hidden", "shown", "look")}
    said = number
    while True:
        with suppress(OSError):
            transport, line = await loop.create_connection(
                lambda: Line(heard), at.hostname, at.port, local_addr=(source, 0)
            )
            try:
                transport.write(request)
                await line.is_open.wait()
                while says != "reconnect" and not line.is_over.is_set():
                    choice = words.get(says, (says,))
                    line.say(choice[said % len(choice)].encode())
                    said += 1
                    heard["said"] += 1
                    await asyncio.sleep(EVERY_SECONDS)
            finally:
                transport.abort()
        heard["closed"] += 1
        await asyncio.sleep(0.2)


async def attack(url: str, path: str, says: str, addresses: int, sockets: int) -> None:
    """What the attackers' process does until it is stopped: a line a second of what it counts."""
    heard: Counter[str] = Counter()
    tasks = []
    for number in range(sockets):
        source = f"127.0.0.{FIRST_ATTACKER + number % addresses}"
        one = hold(url, path, says=says, source=source, number=number, heard=heard)
        tasks.append(asyncio.create_task(one))
        if number % 20 == 0:
            await asyncio.sleep(0.05)
    print("begun", flush=True)
    while True:
        await asyncio.sleep(1)
        print(json.dumps(heard), flush=True)


@contextmanager
def attacked(url: str, path: str, given: argparse.Namespace) -> Iterator[Counter[str]]:
    """Attacks meanwhile; what the attackers counted is there at the end."""
    words = [url, path, given.says, str(given.addresses), str(given.sockets)]
    command = ["/usr/bin/env", "nice", "-n", "19", sys.executable, "-m", __spec__.name]
    counted: Counter[str] = Counter()
    with subprocess.Popen(  # noqa: S603
        [*command, "--attack", *words], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None  # noqa: S101
        process.stdout.readline()  # they have begun
        yield counted
        process.terminate()
        *_, last = process.stdout.read().splitlines() or [b"{}"]
        counted.update(json.loads(last))


# --- the others ----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set-up", choices=SET_UPS, default="sqlite")
    parser.add_argument("--seconds", type=float, default=14)
    parser.add_argument("--says", choices=SAYS, default="look")
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--path", default="", help="by default the table of the two who play")
    parser.add_argument("--attack", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.attack:
        url, path, says, addresses, sockets = given.attack
        return asyncio.run(attack(url, path, says, int(addresses), int(sockets)))
    with (
        tempfile.TemporaryDirectory() as folder,
        running(given.set_up, Path(folder) / "site", TURN_SECONDS=str(TURN_SECONDS)) as site,
    ):
        file = Path(folder) / "site" / "db.sqlite3" if given.set_up == "sqlite" else None
        asyncio.run(measure(site, file, given))


async def measure(site: Site, database: Path | None, given: argparse.Namespace) -> None:
    table = Table(site.url)
    await table.arrive()
    quiet, in_time = await others(site, table, database, given)
    path = given.path or f"/ws/games/{table.code}?lang=en"
    with attacked(site.url, path, given) as heard:
        await asyncio.sleep(3)
        loud, late = await others(site, table, database, given)
    print(
        f"{given.says}, {given.sockets} sockets of {given.addresses} addresses | moves, ms: "
        f"{shown(quiet)} → {shown(loud)}, {median(loud) / median(quiet):.1f} × | {dict(heard)}"
    )
    if in_time and late:
        medians = f"{median(in_time):.0f} → {median(late):.0f}"
        print(f"clocks late by, ms: {medians} ({max(late):.0f} at most)")
    for client in table.clients:
        await client.close()


async def others(
    site: Site, table: Table, database: Path | None, given: argparse.Namespace
) -> tuple[list[float], list[float]]:
    """Seconds that moves took, and milliseconds that clocks were late, at new tables."""
    await table.begin()
    if database is None:
        return await table.play(given.seconds), []
    codes = await asyncio.to_thread(opens_tables, site, ("127.0.0.4", "127.0.0.5"))
    watching = asyncio.to_thread(lags, database, codes, seconds=given.seconds)
    moves, late = await asyncio.gather(table.play(given.seconds), watching)
    return moves, late


if __name__ == "__main__":
    main()
