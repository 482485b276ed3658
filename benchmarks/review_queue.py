"""Fifty reviews wait for the worker: how much later are moves at tables?

`python -m benchmarks.review_queue` starts a site of its own on SQLite with finished games, and
plays a game of two over HTTP, alone and while visitors ask for reviews of fifty of those games, in
turn. It prints both, their ratio, and how many reviews were made in a second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final

import httpx

from benchmarks.daily_flood import ADDRESSES, moves, told
from tests.support.live_site import NO_TLS, UNLIMITED, LiveSite, clean_environment, prepare
from tests.support.players import player_factory, start_table

AT_ONCE: Final = 4  # that a site has under way
PATIENCE: Final = 300.0  # seconds for all of them


def fill(kind: str, count: int) -> list[str]:
    """Finished games of four, as many as asked for; their codes."""
    from accounts.models import User
    from games.peco_peco.tests.fast_games import played_game as peco_peco
    from tests.support.fast_games import finished_game as perudo

    play: dict[str, Callable[..., Any]] = {"perudo": perudo, "peco_peco": peco_peco}
    bot = {"perudo": "steady", "peco_peco": "easy"}[kind]
    people = [User.objects.create_user(f"person-{number}") for number in range(3)]
    return [play[kind](*people, bot, seed=number % 5 + 1).code for number in range(count)]


def filled(folder: Path, kind: str, count: int) -> list[str]:
    """The same in the data of a site that is not yet started, in a process of its own."""
    asked = [sys.executable, "-m", "benchmarks.review_queue", "--game", kind, "--fill", str(count)]
    done = subprocess.run(  # noqa: S603
        asked, env=clean_environment(DATA_DIR=str(folder)), capture_output=True, check=True
    )
    codes: list[str] = json.loads(done.stdout)
    return codes


class Visitors:
    """Those who ask for the reviews of some games, four at a time, until all are made."""

    def __init__(self, url: str, codes: Sequence[str]) -> None:
        self._waiting, self._url, self._count = [*codes], url, len(codes)
        self._made: list[str] = []
        self._threads = [Thread(target=self._ask, daemon=True) for _ in range(AT_ONCE)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def are_waiting(self) -> bool:
        """Whether a review is still to come; SystemExit when one does not."""
        if len(self._made) < self._count and not any(each.is_alive() for each in self._threads):
            raise SystemExit(f"{len(self._made)} of {self._count} reviews were made")
        return len(self._made) < self._count

    def _share(self) -> Iterator[str]:
        with suppress(IndexError):
            while True:
                yield self._waiting.pop()

    def _ask(self) -> None:
        clients = cycle(
            httpx.Client(
                base_url=self._url,
                headers={"HX-Request": "true"},
                transport=httpx.HTTPTransport(local_address=f"127.0.2.{each + 1}", verify=NO_TLS),
            )
            for each in range(ADDRESSES)
        )
        for code in self._share():
            path = f"/games/{code}/replay/review"
            began, asked = time.monotonic(), False
            while True:
                client = next(clients)
                answer = client.get(path, params={"waited": 1} if asked else {}, timeout=60)
                answer.raise_for_status()
                if 'class="reviewed"' in answer.text:
                    break
                asked = "every 1s" in answer.text  # else the worker was busy
                if time.monotonic() > began + PATIENCE:
                    return
                time.sleep(0.25)
            self._made.append(code)


def played(
    people: Sequence[Any], rng: Random, *, going_on: Callable[[], bool]
) -> tuple[list[float], float]:
    """How long each move took, in ms, game after game, and for how many seconds they played."""
    took: list[float] = []
    began, code = time.monotonic(), start_table([*people])
    while going_on():
        some = moves([*people], code, seconds=0.25, rng=rng)
        took += some
        if not some:  # the game is over
            code = start_table([*people])
    return took, time.monotonic() - began


def is_before(until: float) -> bool:
    return time.monotonic() < until


def measure(site: LiveSite, new_player: Any, codes: Sequence[str], given: Any) -> None:
    alone: list[float] = []
    beside: list[float] = []
    lasted = 0.0
    for number in range(given.rounds):
        people = [new_player(site) for _ in range(2)]
        rng = Random(number)  # noqa: S311  # to be repeated
        until = time.monotonic() + given.seconds
        some, _seconds = played(people, rng, going_on=partial(is_before, until))
        alone += some
        visitors = Visitors(site.url, codes[number * given.reviews : (number + 1) * given.reviews])
        visitors.start()
        some, seconds = played(people, rng, going_on=visitors.are_waiting)
        beside += some
        lasted += seconds
    print(f"{len(codes) / lasted:.1f} reviews a second")
    ratio = told("beside reviews", beside) / told("alone", alone)
    print(f"95 %: {ratio:.2f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="peco_peco", help="whose games are reviewed")
    parser.add_argument("--reviews", type=int, default=50, help="that are asked for in each round")
    parser.add_argument("--seconds", type=float, default=10, help="of moves alone in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fill", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        import django

        django.setup()
        print(json.dumps(fill(given.game, given.fill)))
        return
    with TemporaryDirectory() as folder, player_factory() as new_player:
        prepare(Path(folder))
        codes = filled(Path(folder), given.game, given.reviews * given.rounds)
        site = LiveSite(Path(folder), BOT_SECONDS="0", **UNLIMITED)
        site.start()
        try:
            measure(site, new_player, codes, given)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
