"""What a step of a replay costs the server: CPU of a page, and of the batches a script fetches.

For each game of the catalogue one game of bots to its end, then every moment of it: as a page, and
as part of a batch of moments, each when it is asked for the first time and when it is kept. Beside
it, in the same run, the floor: the smallest answer of the site through the same middleware. Uses a
database of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from lab.in_process import site_of_its_own

FLOOR = "/robots.txt"
TIMES = 50  # the floor is asked for


def cost(ask: Callable[[], Any]) -> float:
    """The CPU in milliseconds of a request that is answered."""
    began = process_time()
    answer = ask()
    taken = 1000 * (process_time() - began)
    if answer.status_code != 200:
        raise SystemExit(f"answered {answer.status_code}")
    return taken


def measured(key: str, seats: int) -> dict[str, tuple[int, float, float]]:
    """By what was asked: the moments in an answer, the median and the most of ms for a moment."""
    from django.test import Client

    from games.models import Game
    from games.store import versioned_lru
    from lab.frames import played

    played(key, seats)
    game = Game.objects.get(kind_key=key)
    client = Client()
    first = f"/games/{game.code}/replay/1"
    folded = cost(lambda: client.get(first))
    page = client.get(first).content.decode()
    count = int(re.findall(r'data-count="(\d+)"', page)[0])
    address = re.findall(r'data-batch-address="([^"]+)"', page)[0]
    size = int(re.findall(r'data-batch="(\d+)"', page)[0])
    pages = [f"/games/{game.code}/replay/{number}" for number in range(2, count + 1)]
    starts = range(1, count + 1, size)
    batches = [f"{address.removesuffix('0')}{start}?in=en" for start in starts]
    found = {"the first page, which folds the log": (1, folded, folded)}

    def note(what: str, addresses: list[str], each: int) -> None:
        taken = [cost(lambda at=address: client.get(at)) / each for address in addresses]  # type: ignore[misc]
        found[what] = (each, median(taken), max(taken))

    note("another page", pages, 1)
    note("a page that is kept", pages[-30:], 1)
    versioned_lru.clear_all()
    client.get(first)
    note("a batch", batches[:-1], size)
    note("a batch that is kept", batches[-11:-1], size)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only this one; all of the catalogue by default")
    parser.add_argument("--seats", type=int, default=6)
    given = parser.parse_args()
    with site_of_its_own("replay-steps", ALLOWED_HOSTS="testserver"):
        from django.core.management import call_command
        from django.test import Client

        from games.contract import catalogue

        call_command("collectstatic", verbosity=0, interactive=False)
        client = Client()
        floor = median(cost(lambda: client.get(FLOOR)) for _ in range(TIMES))
        print(f"{'ms of CPU for a moment':44}{'median':>8}{'most':>8}{'× floor':>9}")
        print(f"{f'the floor, {FLOOR}':44}{floor:8.2f}")
        for key in [given.game] if given.game else [game.key for game in catalogue.every()]:
            for what, (each, middle, most) in measured(key, given.seats).items():
                label = f"{key}, {what}" + (f" (of {each})" if each > 1 else "")
                print(f"{label:44}{middle:8.2f}{most:8.2f}{middle / floor:9.1f}")


if __name__ == "__main__":
    main()
