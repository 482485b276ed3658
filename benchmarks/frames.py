"""How large the frames of a table are: whole games of bots, every frame as a socket would send it.

For each game of the catalogue the bytes of the frame of a seat and of a spectator, plain and as one
WebSocket message is compressed. Uses a database of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.in_process import site_of_its_own  # noqa: E402

MOST_STEPS = 5_000  # a game that needs more does not end


def played(key: str, seats: int) -> tuple[list[str], list[str]]:
    """Every frame of one game, for seat 0 and for a spectator; the stand-in bot plays seat 0."""
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from games import catalogue
    from games.models import Game
    from games.play import before_start, commands
    from games.rendering import frames

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


def compressed(html: str) -> int:
    packer = zlib.compressobj(level=1, wbits=-15)
    return len(packer.compress(html.encode()) + packer.flush())


def shown(label: str, found: list[str]) -> str:
    sizes = sorted(len(html.encode()) for html in found)
    packed = sorted(map(compressed, found))
    values: list[Any] = [len(found), median(sizes), sizes[-1], median(packed), packed[-1]]
    return f"{label:28}" + "".join(f"{value:12.0f}" for value in values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only this one; all of the catalogue by default")
    parser.add_argument("--seats", type=int, default=6)
    given = parser.parse_args()
    with site_of_its_own("frames", DEBUG="1"):
        from games import catalogue

        columns = ("frames", "median", "largest", "med. packed", "max packed")
        print(f"{f'{given.seats} seats, bytes':28}" + "".join(f"{name:>12}" for name in columns))
        for key in [given.game] if given.game else [game.key for game in catalogue.every()]:
            own, watching = played(key, given.seats)
            print(shown(f"{key}, a player", own))
            print(shown(f"{key}, a spectator", watching))


if __name__ == "__main__":
    main()
