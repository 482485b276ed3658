"""What the home page of somebody with all there can be on it costs, beside the lobby for a visitor.

`python -m lab.home_page` asks in turn, in the same run, for the page of a visitor (the
floor), of an account that has never played, and of a person with three running games, two
invitations, ten friends of whom three are here, two standing tables, the question of the day and
news; and for that person's page as it is for somebody new: the games first. It prints milliseconds
of CPU, ratios and queries. Uses a database of its own in a temporary folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import Any

from lab.in_process import site_of_its_own


def cost(ask: Callable[[], Any]) -> float:
    """The CPU in milliseconds of a page that is answered."""
    began = process_time()
    answer = ask()
    taken = 1000 * (process_time() - began)
    if answer.status_code != 200:
        raise SystemExit(f"answered {answer.status_code}")
    return taken


@contextmanager
def as_for_new_people() -> Any:
    """Within it nobody has played before: every page has the games first, as without the rest."""
    from games.lobby import home_page

    real = home_page.known
    home_page.known = lambda *args, **more: None
    try:
        yield
    finally:
        home_page.known = real


def measured(times: int) -> dict[str, tuple[float, int]]:
    """By whose page: the median of ms of CPU, and the queries."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from accounts.models import User
    from games.lobby import home_page
    from tests.support import at_home

    me, new, *people = [User.objects.create_user(f"person-{number}") for number in range(13)]
    at_home.everything(me, people[:10], now=timezone.now())
    visitor, newcomer, known = Client(), Client(), Client()
    newcomer.force_login(new)
    known.force_login(me)

    def before() -> Any:
        with as_for_new_people():
            return known.get("/")

    def anew() -> Any:
        home_page._kept.clear()
        return known.get("/")

    pages: dict[str, Callable[[], Any]] = {
        "a visitor, the floor": lambda: visitor.get("/"),
        "an account that has never played": lambda: newcomer.get("/"),
        "who has played, as for new people": before,
        "who has played, as last time": lambda: known.get("/"),
        "who has played, all of it new": anew,
    }
    taken: dict[str, list[float]] = {name: [] for name in pages}
    queries = {}
    for name, ask in pages.items():
        ask(), ask()
        with CaptureQueriesContext(connection) as asked:
            ask()
        queries[name] = len(asked)
    for _ in range(times):
        for name, ask in pages.items():
            taken[name].append(cost(ask))
    return {name: (median(each), queries[name]) for name, each in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200, help="each page is asked for")
    given = parser.parse_args()
    with site_of_its_own(
        "home-page", ALLOWED_HOSTS="testserver", LOG_LEVEL="ERROR", GETS_PER_ADDRESS="1000000"
    ):
        from django.core.management import call_command

        call_command("collectstatic", verbosity=0, interactive=False)
        found = measured(given.times)
        floor = next(iter(found.values()))[0]
        print(f"{'the home page of …':38}{'ms of CPU':>10}{'× floor':>9}{'queries':>9}")
        for name, (middle, queries) in found.items():
            print(f"{name:38}{middle:10.1f}{middle / floor:9.2f}{queries:9}")
        before, same, anew = [middle for middle, _ in found.values()][2:]
        print(f"× as for new people: {same / before:.2f} as last time, {anew / before:.2f} anew")


if __name__ == "__main__":
    main()
