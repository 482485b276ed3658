"""Fifty reviews wait for the worker: how much later are moves at tables?

`python -m lab.review_queue` starts a site of its own on SQLite with finished games, and
plays a game of two over HTTP, alone and while fifty of those games are reviewed: in turn, because
visitors ask, or with `--by job` once, because they have just ended. It prints both, their ratio,
how many reviews were made in a second, and how long who asks for one alone waits. The job makes a
review every two or three seconds, and none in the first 30: fifty take two and a half minutes.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final

import httpx
from tqdm import tqdm

from lab.daily_flood import ADDRESSES, moves, told
from tests.support.finished_games import filled
from tests.support.live_site import NO_TLS, UNLIMITED, LiveSite, prepare
from tests.support.players import player_factory, start_table

AT_ONCE: Final = 4  # that a site has under way
PATIENCE: Final = 300.0  # seconds for all of them


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
            if waited_for(code, lambda: next(clients), every=0.25) > PATIENCE:
                return
            self._made.append(code)


def waited_for(code: str, client: Callable[[], httpx.Client], *, every: float) -> float:
    """For how many seconds one waits for a review, with a page that asks so often."""
    path = f"/games/{code}/replay/review"
    began, asked = time.monotonic(), False
    while True:
        answer = client().get(path, params={"waited": 1} if asked else {}, timeout=60)
        answer.raise_for_status()
        took = time.monotonic() - began
        if 'class="reviewed"' in answer.text or took > PATIENCE:
            return took
        asked = "every 1s" in answer.text  # else the worker was busy
        time.sleep(every)


class Job:
    """The site itself, which reviews what has ended of late, some 30 seconds after it started."""

    def __init__(self, folder: Path, count: int) -> None:
        self._file, self._count = folder / "db.sqlite3", count
        self._until = time.monotonic() + PATIENCE
        self._progress = tqdm(total=count, unit="review")

    def made(self) -> int:
        with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as database:
            [[made]] = database.execute("SELECT count(*) FROM games_gamereview")
        return int(made)

    def is_at_work(self) -> bool:
        """Whether a review is still to come; SystemExit when one does not."""
        made = self.made()
        self._progress.update(made - self._progress.n)
        if time.monotonic() > self._until:
            raise SystemExit(f"{made} of {self._count} reviews were made")
        return made < self._count


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
            for person in people:
                while person.sockets:  # one client has room for a hundred connections
                    person.sockets.pop().close()
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
    tell(beside, alone)


def measure_job(site: LiveSite, new_player: Any, folder: Path, given: Any) -> None:
    people = [new_player(site) for _ in range(2)]
    rng = Random(0)  # noqa: S311  # to be repeated
    job = Job(folder, given.reviews)
    while job.made() == 0 and job.is_at_work():
        time.sleep(0.1)
    beside, lasted = played(people, rng, going_on=job.is_at_work)
    print(f"{given.reviews / lasted:.1f} reviews a second")
    until = time.monotonic() + given.rounds * given.seconds
    alone, _seconds = played(people, rng, going_on=partial(is_before, until))
    tell(beside, alone)


def tell(beside: Sequence[float], alone: Sequence[float]) -> None:
    ratio = told("beside reviews", beside) / told("alone", alone)
    print(f"95 %: {ratio:.2f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="peco_peco", help="whose games are reviewed")
    parser.add_argument("--by", choices=["visitors", "job"], default="visitors")
    parser.add_argument("--reviews", type=int, default=50, help="that are asked for in each round")
    parser.add_argument("--seconds", type=float, default=10, help="of moves alone in each round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with TemporaryDirectory() as folder, player_factory() as new_player:
        prepare(Path(folder))
        of_job = given.by == "job"
        count = given.reviews if of_job else given.reviews * given.rounds + 1
        codes = filled(Path(folder), given.game, count)
        site = LiveSite(Path(folder), BOT_SECONDS="0", **UNLIMITED)
        site.start()
        try:
            if of_job:
                measure_job(site, new_player, Path(folder), given)
            else:
                with httpx.Client(base_url=site.url, headers={"HX-Request": "true"}) as client:
                    took = waited_for(codes.pop(), lambda: client, every=1.0)
                print(f"a review that is asked for alone is shown after {took:.1f} s")
                measure(site, new_player, codes, given)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
