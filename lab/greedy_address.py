"""One address takes all games against bots that it can: how late are the clocks of other people?

`python -m lab.greedy_address` starts a site of its own on SQLite, measures it idle and then
while 27 guests of one address hold all the games they were given, and prints both. With
`--share 200` the address may hold all of them, which shows what the scheduler's order is worth.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Protocol

import httpx

from tests.support.live_site import NO_TLS, LiveSite, prepare

GUESTS, GAMES_EACH, TURN_SECONDS = 27, 8, 5
TABLES = 8  # of the people whose clocks are measured
_ROWS = "SELECT code, seq, due_at, turn_ends_at FROM games_game WHERE status = 'playing'"


class Reached(Protocol):
    """A site, by where it is reached."""

    @property
    def url(self) -> str: ...


@contextmanager
def visitor(site: Reached, address: str) -> Iterator[httpx.Client]:
    """A guest whose connection comes from this address of the machine itself."""
    transport = httpx.HTTPTransport(local_address=address, verify=NO_TLS)
    with httpx.Client(
        base_url=site.url, transport=transport, follow_redirects=True, timeout=60
    ) as client:
        client.headers["Referer"] = f"{site.url}/"
        client.get("/account/login/").raise_for_status()
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        client.post("/account/guest", data={"next": "/account/"}).raise_for_status()
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        yield client


def plays_now(client: httpx.Client, bots: int) -> str:
    """The code of the new game; "" where it is refused."""
    path = client.post("/play-now", data={"game": "peco_peco", "bots": str(bots)}).url.path
    return path.removeprefix("/games/") if path.startswith("/games/") else ""


def opens_tables(site: Reached, addresses: tuple[str, str]) -> set[str]:
    """Tables of two people who never move, so that their clocks do everything."""
    codes = set()
    form = {
        "preset": "asmodee_fr",
        "seats": "2",
        "pace": "auto",
        "visibility": "link",
        "kind": "custom",
    }
    with visitor(site, addresses[0]) as host, visitor(site, addresses[1]) as other:
        for _ in range(TABLES):
            code = host.post("/games/new", data=form).url.path.removeprefix("/games/")
            other.post(f"/games/{code}/sit").raise_for_status()
            host.post(f"/games/{code}/start").raise_for_status()
            codes.add(code)
    return codes


def lags(database: Path, codes: set[str], *, seconds: float) -> list[float]:
    """How late, in ms, the time of the people at these tables was up."""
    seen: dict[str, tuple[int, str | None, str | None, float]] = {}
    late = []
    until = time.time() + seconds
    with closing(sqlite3.connect(database, timeout=30)) as opened:
        while time.time() < until:
            rows = opened.execute(_ROWS).fetchall()
            now = time.time()
            for code, seq, due, ends in rows:
                if code not in codes:
                    continue
                before = seen.get(code)
                if before is None or before[0] != seq:
                    seen[code] = (seq, due, ends, now)
                    if before and before[2] and before[1] == before[2]:
                        ended = datetime.fromisoformat(f"{before[2]}+00:00").timestamp()
                        if ended - before[3] > TURN_SECONDS - 1:  # a person's turn, not a bot's
                            late.append(1_000 * (now - ended))
            time.sleep(0.01)
    return late


def steps_a_second(database: Path, *, seconds: float) -> float:
    """How many changes of running games the site makes."""
    with closing(sqlite3.connect(database, timeout=30)) as opened:

        def changes() -> int:
            return int(opened.execute("SELECT sum(seq) FROM games_game").fetchone()[0] or 0)

        before = changes()
        time.sleep(seconds)
        return (changes() - before) / seconds


def told(name: str, late: list[float]) -> None:
    late.sort()
    p95 = late[int(len(late) * 0.95)]
    print(
        f"{name}: {len(late)} turns of people, late by {median(late):.0f} ms (median), "
        f"{p95:.0f} ms (95 %), {late[-1]:.0f} ms at most",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=int, default=50, help="games an address may hold")
    parser.add_argument("--seconds", type=float, default=14, help="length of each measurement")
    parser.add_argument("--guests", type=int, default=GUESTS)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        data = Path(folder)
        prepare(data)
        site = LiveSite(
            data,
            TURN_SECONDS=str(TURN_SECONDS),
            RUNNING_GAMES_WITH_BOTS="200",
            BOT_GAMES_PER_ADDRESS=str(chosen.share),
        )
        site.start()
        try:
            measure(site, data / "db.sqlite3", chosen)
        finally:
            site.stop()


def measure(site: LiveSite, database: Path, chosen: argparse.Namespace) -> None:
    codes = opens_tables(site, ("127.0.0.2", "127.0.0.3"))
    told("idle site", lags(database, codes, seconds=chosen.seconds))
    taken = 0
    for _ in range(chosen.guests):
        with visitor(site, "127.0.0.1") as guest:
            taken += sum(bool(plays_now(guest, 7)) for _ in range(GAMES_EACH))
    print(f"one address, {chosen.guests} guests: {taken} games", flush=True)
    time.sleep(3 * TURN_SECONDS)  # the guests miss their turns, and bots play for them
    print(f"the site makes {steps_a_second(database, seconds=5):.0f} steps a second", flush=True)
    codes = opens_tables(site, ("127.0.0.4", "127.0.0.5"))
    told("beside them", lags(database, codes, seconds=chosen.seconds))
    with visitor(site, "127.0.0.6") as other:
        began = time.monotonic()
        code = plays_now(other, 3)
        took = 1_000 * (time.monotonic() - began)
        print(f"a visitor from elsewhere {'plays' if code else 'is refused'} after {took:.0f} ms")


if __name__ == "__main__":
    main()
