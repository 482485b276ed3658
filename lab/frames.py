"""How large the frames of a table are: whole games of bots, every frame as a socket would send it.

For each game of the catalogue the bytes of the frames of a seat and of a spectator. Then what
compressing those of a seat saves and costs, at several levels: bytes of the whole game, CPU of a
frame, and the memory of this process by 100 and by 1,000 sockets that have been sent three frames.
Uses a database of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from resource import getpagesize
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from lab.in_process import site_of_its_own
from perudo_site.server.deflate import Packer, Table

if TYPE_CHECKING:
    from games.table.frames import Frame

TIME = b"<!-- now 1772395200000 -->"
MOST_STEPS = 5_000  # a game that needs more does not end


def played(key: str, seats: int) -> tuple[list[Frame], list[Frame]]:
    """Every frame of one game, for seat 0 and for a spectator; the stand-in bot plays seat 0."""
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from games.contract import catalogue
    from games.models import Game
    from games.play import before_start, commands
    from games.table import frames

    game = catalogue.of(key)
    host = User.objects.create_user(f"{key}-{seats}")
    kinds = list(game.bots)
    bots = [kinds[number % len(kinds)] for number in range(seats - 1)]
    now = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
    settings = before_start.quick_settings(key, bots=len(bots))
    code = before_start.play_now(host, settings, bots=bots, now=now).code
    own, watching = [], []
    for _ in range(MOST_STEPS):
        row = Game.objects.get(code=code)
        own.append(frames.frame(row, 0, user=host))
        watching.append(frames.frame(row, None, user=AnonymousUser()))
        if row.status != Game.Status.PLAYING:
            return own, watching
        now = max(now, row.due_at or now)
        Game.objects.filter(code=code).update(watched_at=now)
        commands.play_due(code, now=now, row=Game.objects.get(code=code))
    raise SystemExit(f"{key} does not end")


def shown(label: str, found: Sequence[Frame]) -> str:
    sizes = sorted(len(frame.html.encode()) for frame in found)
    values: list[Any] = [len(found), median(sizes), sizes[-1], sum(sizes) / 1000]
    return f"{label:28}" + "".join(f"{value:12,.0f}" for value in values)


def packed(label: str, found: Sequence[Frame], level: int, *, sockets: int, plays: bool) -> str:
    """What a game costs at a table with so many sockets of this viewer: kB and ms of CPU for each
    frame of one of them, and their memory where so many such sockets are at tables of six.
    """
    parts = [frame.encoded for frame in found]
    table = Table(level)
    packers = [Packer(table) for _ in range(sockets)]
    began = process_time()
    sizes = [
        len(packer.packed(*each, TIME, is_secret=plays) or b"")
        for each in parts
        for packer in packers
    ]
    cost = 1000 * (process_time() - began) / len(sizes)
    for packer in packers:
        packer.close()
    values = [f"{sum(sizes) / sockets / 1000:12,.0f}{cost:12.3f}"]
    if plays:
        values += [f"{memory_of(number, parts[:3], level):12.0f}" for number in (100, 1000)]
    return f"{f'{label}, level {level}':28}" + "".join(values)


def memory_of(number: int, parts: Sequence[tuple[bytes, bytes]], level: int) -> float:
    """kB a socket; measured in a process of its own, which has nothing left of what came before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        return apart.submit(_memory_of, number, parts, level).result()


def _memory_of(number: int, parts: Sequence[tuple[bytes, bytes]], level: int) -> float:
    before = resident()
    tables = [Table(level) for _ in range(number // 6)]
    packers = [Packer(tables[each % len(tables)]) for each in range(number)]
    for each in parts:
        for packer in packers:
            packer.packed(*each, TIME, is_secret=True)
    return (resident() - before) / number


def resident() -> float:
    """The memory of this process, in kB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * getpagesize() / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only this one; all of the catalogue by default")
    parser.add_argument("--seats", type=int, default=6)
    given = parser.parse_args()
    with site_of_its_own("frames", DEBUG="1"):
        from games.contract import catalogue

        def columns(first: str, *names: str) -> str:
            return f"{first:28}" + "".join(f"{name:>12}" for name in names)

        games = [given.game] if given.game else [game.key for game in catalogue.every()]
        everything = {key: played(key, given.seats) for key in games}
        print(columns(f"{given.seats} seats", "frames", "median B", "largest B", "kB a game"))
        for key, (own, watching) in everything.items():
            print(shown(f"{key}, a player", own))
            print(shown(f"{key}, a spectator", watching))
        print(columns("compressed", "kB a game", "ms a frame", "kB, of 100", "of 1,000"))
        for key, (own, watching) in everything.items():
            for level in (1, 6, 9):
                print(packed(f"{key}, a player", own, level, sockets=6, plays=True))
            print(packed(f"{key}, a spectator", watching, 6, sockets=100, plays=False))


if __name__ == "__main__":
    main()
