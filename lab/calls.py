"""How many functions of the project a move and a look call, and in how many of its files.

For each game of the catalogue and each kind of move: the POST that makes it, with all middleware,
and then a look: the frames of two seats and a spectator, as the sockets of one process are sent
them. Medians over whole games of people, with warm caches. Counts do not depend on the machine.
Uses a database of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from lab.in_process import site_of_its_own

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("anna", "bert", "cora", "dirk", "enzo", "fred")
OWN = tuple(str(ROOT / part) + os.sep for part in ("accounts", "games", "perudo_site"))
MOST_STEPS = 300  # of one game
# Of the likely ones only so many are chosen from: high bids end a round at once.
LOW = 4


class Calls:
    """The functions of the project that were called within `with`, and how often each.

    Comprehensions and generators belong to the function they are in.
    """

    def __init__(self) -> None:
        self.by_function: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Calls:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        named = code.co_name == "<lambda>" or not code.co_name.startswith("<")
        if event == "call" and named and code.co_filename.startswith(OWN):
            self.by_function[code.co_filename, code.co_qualname] += 1

    @property
    def count(self) -> int:
        return self.by_function.total()

    @property
    def files(self) -> int:
        return len({file for file, _ in self.by_function})


class Table:
    """A running game of people who move by POST."""

    def __init__(self, key: str, seats: int) -> None:
        from django.test import Client
        from django.utils import timezone

        from accounts.models import User
        from benchmarks.load.open_tables import full_table
        from games.contract import catalogue
        from games.play import before_start

        kind = catalogue.of(key)
        people = [User.objects.get_or_create(username=name)[0] for name in NAMES[:seats]]
        self.rules = kind.rules
        self.code = full_table(people, key=key, now=timezone.now(), **kind.forms.QUICK_PLAY)
        before_start.start(self.code, people[0], now=timezone.now())
        self.clients = [Client(headers={"HX-Request": "true"}) for _ in people]
        for client, person in zip(self.clients, people, strict=True):
            client.force_login(person)
        self.viewers: dict[Any, Any] = {(0, "en"): None, (1, "en"): None, (None, "en"): None}

    @property
    def row(self) -> Any:
        from games.models import Game

        return Game.objects.get(code=self.code)

    def step(self, rng: random.Random) -> tuple[str, Calls] | None:
        """Make one move and say of what kind it was; None: the game went on by itself."""
        from django.utils import timezone

        from games.core.codec import pack
        from games.play import commands
        from games.store import event_log

        row, now = self.row, timezone.now()
        state = event_log.public_state(row)
        waiting: Any = self.rules.waiting(state)
        if waiting.kind == "window" or (row.opens_at and row.opens_at > now):
            commands.play_due(self.code, now=max(now, row.due_at or row.opens_at))
            return None
        seat = waiting.seats[0]
        known = event_log.seat_view(row, seat)
        moves = self.rules.legal_moves(known, seat)
        move = rng.choice(moves[:LOW] + moves[-1:])
        chosen = {
            name: "on" if value is True else value
            for name, value in pack(move).items()
            if value is not None and value is not False
        }
        fields = {"seen": row.seq, "do": move.kind} | chosen
        with Calls() as calls:
            answer = self.clients[seat].post(f"/games/{self.code}/move", fields)
        if answer.content.strip():
            raise SystemExit(f"{self.rules.KEY}: {move.kind} was refused: {answer.content!r}")
        return move.kind, calls

    def look(self) -> Calls:
        """All frames after the last move."""
        from games.table import frames

        seq = self.row.seq
        with Calls() as calls:
            rendered = frames.render_for(self.code, self.viewers, seq=seq)
        for number, language in self.viewers:
            self.viewers[number, language] = None if number is None else rendered.own[number]
        return calls


def measured(key: str, *, seats: int, games: int) -> dict[str, dict[str, list[Calls]]]:
    """The calls of `post` and of the `look` after it, by kind of move."""
    found: dict[str, dict[str, list[Calls]]] = {}
    rng = random.Random(1)  # noqa: S311
    for game in range(games):
        table = Table(key, seats)
        for _ in range(MOST_STEPS):
            if table.row.status != "playing":
                break
            made = table.step(rng)
            looked = table.look()
            if made is not None and game:  # in the first game the caches get warm
                kind, posted = made
                each = found.setdefault(kind, {"post": [], "look": []})
                each["post"].append(posted)
                each["look"].append(looked)
    return found


def middle(calls: list[Calls], value: Callable[[Calls], int]) -> float:
    return median(map(value, calls))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only this one; all of the catalogue by default")
    parser.add_argument("--seats", type=int, choices=range(4, 7), default=4)
    parser.add_argument("--games", type=int, default=3, help="the first one is not counted")
    parser.add_argument("--functions", metavar="MOVE", help="list what a look after it calls")
    given = parser.parse_args()
    with site_of_its_own("calls", DEBUG="1", LOG_LEVEL="ERROR", CALZA_DELAY_MS="0"):
        from django.conf import settings

        from games.contract import catalogue
        from games.core import chance

        settings.ALLOWED_HOSTS = ["*"]
        settings.POSTS_PER_PERSON = settings.POSTS_PER_ADDRESS = 1_000_000
        chance._system = random.Random(1)  # type: ignore[assignment]  # noqa: S311  # the same games
        columns = ("moves", "POST calls", "files", "look calls", "files")
        print(f"{f'{given.seats} people':28}" + "".join(f"{name:>12}" for name in columns))
        for key in [given.game] if given.game else [game.key for game in catalogue.every()]:
            for kind, each in measured(key, seats=given.seats, games=given.games).items():
                counts = [middle(each[what], lambda one: one.count) for what in ("post", "look")]
                files = [middle(each[what], lambda one: one.files) for what in ("post", "look")]
                values = [len(each["post"]), counts[0], files[0], counts[1], files[1]]
                print(f"{f'{key}, {kind}':28}" + "".join(f"{value:12.0f}" for value in values))
                if kind == given.functions:
                    for (file, name), count in each["look"][-1].by_function.most_common():
                        print(f"{count:8} {Path(file).relative_to(ROOT)} {name}")


if __name__ == "__main__":
    main()
