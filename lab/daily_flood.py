"""A thousand people a minute answer the question of the day: how much later are moves at tables?

`python -m lab.daily_flood` starts a site of its own on SQLite and plays a game of two over
HTTP, alone and beside the flood, in turn; each answer is that of a new visitor, from sixty
addresses. It prints both and their ratio.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.support.live_site import NO_TLS, LiveSite, prepare
from tests.support.players import HttpPlayer, player_factory, start_table
from tests.wire.games import GAMES

ADDRESSES = 60
MOVE = GAMES["perudo"].player


def flood(url: str, a_minute: int, end: Event, answered: Any) -> None:
    """New visitors who answer, one after the other, so many a minute."""
    began, count = time.monotonic(), 0
    transports = [
        httpx.HTTPTransport(local_address=f"127.0.1.{each + 1}", verify=NO_TLS)
        for each in range(ADDRESSES)
    ]
    while not end.is_set():
        client = httpx.Client(base_url=url, transport=transports[count % ADDRESSES], timeout=60)
        client.headers["Referer"] = f"{url}/"
        here = client.get("/daily").headers["Location"]
        client.get(here).raise_for_status()
        token = client.cookies["csrftoken"]
        answer = client.post(here, data={"do": "dudo", "csrfmiddlewaretoken": token})
        if answer.status_code != httpx.codes.FOUND:
            raise SystemExit(f"refused: {answer.status_code}")
        count += 1
        answered.value = count
        time.sleep(max(0.0, began + count * 60 / a_minute - time.monotonic()))


@contextmanager
def flooded(url: str, a_minute: int) -> Iterator[Any]:
    """Within it, the flood; yields how many answers were given."""
    context = get_context("spawn")
    end, answered = context.Event(), context.Value("i", 0)
    process = context.Process(target=flood, args=(url, a_minute, end, answered))
    process.start()
    try:
        time.sleep(3)
        yield answered
    finally:
        end.set()
        process.join()


def moves(people: list[HttpPlayer], code: str, *, seconds: float, rng: Random) -> list[float]:
    """How long moves took, in ms, until the answer was there."""
    took, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        for person in people:
            action = MOVE.random_action(person.view(code), rng)
            if action is None:
                continue
            began = time.monotonic()
            person.action(code, "move", seen=person.view(code).seq, **action)
            took.append(1_000 * (time.monotonic() - began))
        time.sleep(0.02)
    return took


def told(name: str, took: list[float]) -> float:
    p95 = quantiles(took, n=20)[-1]
    print(
        f"{name}: {len(took)} moves, {median(took):.1f} ms (median), {p95:.1f} ms (95 %)",
        flush=True,
    )
    return p95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=1_000, help="a minute")
    parser.add_argument("--seconds", type=float, default=15, help="length of each measurement")
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder, player_factory() as new_player:
        prepare(Path(folder))
        site = LiveSite(Path(folder), BOT_SECONDS="0", GUESTS_PER_HOUR="100000")
        site.start()
        try:
            measure(site, new_player, chosen)
        finally:
            site.stop()


def measure(site: LiveSite, new_player: Any, chosen: argparse.Namespace) -> None:
    alone: list[float] = []
    beside: list[float] = []
    for number in range(chosen.rounds):
        people = [new_player(site) for _ in range(2)]
        rng = Random(number)  # noqa: S311  # to be repeated
        alone += moves(people, start_table(people), seconds=chosen.seconds, rng=rng)
        with flooded(site.url, chosen.answers) as answered:
            before, began = answered.value, time.monotonic()
            beside += moves(people, start_table(people), seconds=chosen.seconds, rng=rng)
            rate = 60 * (answered.value - before) / (time.monotonic() - began)
            print(f"{rate:.0f} answers a minute", flush=True)
    ratio = told("beside answers", beside) / told("alone", alone)
    print(f"95 %: {ratio:.2f} times as long")


if __name__ == "__main__":
    main()
