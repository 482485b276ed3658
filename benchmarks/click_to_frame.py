"""How long a click takes until the last viewer of the table has the frame, at human pace.

Starts a server of its own and fills tables with people who listen on real sockets. Every table
plays by itself: whoever is to speak clicks after a while, whether the server keeps up or not (an
open loop). Measured is the time from the start of the POST until the last of the table's sockets
has the frame; beside it, in the same run, a bare GET of /healthz as the floor: a request that
reaches the database and comes back.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.live import LiveSite, prepare  # noqa: E402
from tests.wire.views import View  # noqa: E402

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
WS_PATH = re.compile(r'ws-connect="([^"]+)"')


@dataclass
class Player:
    """Somebody with a session and an open socket; `view` is what his screen shows."""

    http: httpx.AsyncClient
    token: str = ""
    view: View | None = None
    came: asyncio.Condition = field(default_factory=asyncio.Condition)
    arrivals: list[tuple[int, float]] = field(default_factory=list)  # (seq, when)

    async def arrive(self) -> None:
        page = await self.http.get("/account/login/")
        self.take_token(page)
        page = await self.post("/account/guest", next="/account/")
        self.take_token(page)

    def take_token(self, page: httpx.Response) -> None:
        found = TOKEN.search(page.text)
        if found is None:
            raise SystemExit(f"No form on {page.url}: {page.status_code}")
        self.token = found[1]

    async def post(self, path: str, **fields: object) -> httpx.Response:
        data = {"csrfmiddlewaretoken": self.token} | {k: str(v) for k, v in fields.items()}
        return await self.http.post(path, data=data, headers={"X-CSRFToken": self.token})

    async def listen(self, code: str, ws_url: str) -> None:
        page = await self.http.get(f"/games/{code}")
        self.view = View.of(page.text)
        found = WS_PATH.search(page.text)
        if found is None:
            raise SystemExit("The table's page names no socket.")
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies, "Origin": str(self.http.base_url).rstrip("/")}
        address = ws_url + unescape(found[1])
        async with connect(address, additional_headers=headers, compression=None) as socket:
            async for frame in socket:
                now = time.perf_counter()
                view = View.of(str(frame))
                if view is not None:
                    self.view = view
                    self.arrivals.append((view.seq, now))
                    async with self.came:
                        self.came.notify_all()

    async def first_after(self, seq: int) -> float:
        """When this screen first showed something newer than `seq`."""
        while True:
            for shown, when in self.arrivals:
                if shown > seq:
                    return when
            async with self.came:
                await self.came.wait()


@dataclass
class Measured:
    """Seconds from a click to its last frame, and from a GET to its answer."""

    frames: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)
    lost: int = 0
    requests: int = 0
    busy: float = 0.0  # seconds the server computed


def choice(view: View, luck: random.Random) -> dict[str, object]:
    if view.can_dudo and (not view.faces or luck.random() < 0.2):
        return {"do": "dudo"}
    face = luck.choice(sorted(view.faces))
    return {"do": "bid", "face": face, "quantity": view.faces[face][0]}


async def play(code: str, players: list[Player], pause: float, until: float, out: Measured) -> None:
    """One table for as long as the measurement lasts; a game that ends earlier ends its part."""
    luck = random.Random(code)  # noqa: S311
    await asyncio.sleep(luck.uniform(0, pause))
    due = time.perf_counter()
    while time.perf_counter() < until:
        views = [player.view for player in players if player.view]
        if any(view.phase == "over" for view in views):
            return
        looking = [one for one in players if one.view and one.view.must_confirm]
        for one in looking:  # not measured: nobody waits for it
            out.requests += 1
            await one.post(f"/games/{code}/move", do="confirm", seen=one.view and one.view.seq)
        speaker = next((one for one in players if one.view and one.view.my_turn), None)
        if speaker is None or speaker.view is None:
            await asyncio.sleep(0.02)
            continue
        due += pause * luck.uniform(0.7, 1.3)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        seen = speaker.view.seq
        out.requests += 1
        clicked = time.perf_counter()
        sent = asyncio.create_task(
            speaker.post(f"/games/{code}/move", seen=seen, **choice(speaker.view, luck))
        )
        try:
            last = await asyncio.wait_for(
                asyncio.gather(*(one.first_after(seen) for one in players)), timeout=10
            )
            out.frames.append(max(last) - clicked)
        except TimeoutError:
            out.lost += 1
        await sent


async def floor(site: LiveSite, until: float, out: Measured) -> None:
    async with httpx.AsyncClient(base_url=site.url) as visitor:
        while time.perf_counter() < until:
            asked = time.perf_counter()
            out.requests += 1
            await visitor.get("/healthz")
            out.floor.append(time.perf_counter() - asked)
            await asyncio.sleep(0.2)


async def fill(site: LiveSite, seats: int) -> tuple[str, list[Player], list[asyncio.Task[None]]]:
    """A running table of so many people, each listening."""
    headers = {"Referer": f"{site.url}/", "HX-Request": "true"}
    players = [
        Player(
            httpx.AsyncClient(base_url=site.url, headers=headers, follow_redirects=True, timeout=30)
        )
        for _ in range(seats)
    ]
    for player in players:
        player.http.headers.pop("HX-Request")
        await player.arrive()
    form = {"preset": "asmodee_fr", "seats": seats, "pace": "", "public": "yes"}
    page = await players[0].post("/games/new", **form)
    code = page.url.path.removeprefix("/games/")
    for player in players[1:]:
        await player.post(f"/games/{code}/sit")
    for player in players:
        player.http.headers["HX-Request"] = "true"
    await players[0].post(f"/games/{code}/start")
    return code, players, [asyncio.create_task(one.listen(code, site.ws_url)) for one in players]


async def measure(
    site: LiveSite, tables: int, seats: int, pause: float, seconds: float
) -> Measured:
    out = Measured()
    filled = [await fill(site, seats) for _ in range(tables)]
    while not all(player.view for _, players, _ in filled for player in players):
        await asyncio.sleep(0.05)
    until, computed = time.perf_counter() + seconds, cpu_seconds(site)
    await asyncio.gather(
        floor(site, until, out),
        *(play(code, players, pause, until, out) for code, players, _ in filled),
    )
    out.busy = cpu_seconds(site) - computed
    for _, players, listening in filled:
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        for player in players:
            await player.http.aclose()
    return out


def cpu_seconds(site: LiveSite) -> float:
    """How long the server has computed so far; unlike the times, other programs hardly change it.

    0 where there is no /proc.
    """
    stat = Path(f"/proc/{site.process.pid}/stat") if site.process else Path()
    if not stat.is_file():
        return 0.0
    ticks = stat.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def quantiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=20) if len(seconds) > 1 else seconds * 20
    return f"p50 {1000 * statistics.median(seconds):6.1f} ms   p95 {1000 * cuts[18]:6.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument(
        "--pause", type=float, default=3.0, help="seconds between clicks at a table"
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="measured for each row")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        site = LiveSite(Path(folder), CALZA_DELAY_MS="0", LOG_LEVEL="WARNING", REVEAL_SECONDS="600")
        site.start()
        try:
            for tables in chosen.tables:
                # A single table would give too few clicks at the pace of many.
                pause = chosen.pause if tables > 1 else min(chosen.pause, 0.5)
                out = asyncio.run(measure(site, tables, chosen.seats, pause, chosen.seconds))
                print(
                    f"{tables:3} tables of {chosen.seats}, {len(out.frames):4} clicks, "
                    f"{len(out.frames) / chosen.seconds:4.1f} a second, {out.lost} without a frame"
                )
                if out.frames and out.floor:
                    print(f"    click to last frame  {quantiles(out.frames)}")
                    print(f"    floor: GET /healthz  {quantiles(out.floor)}")
                    share = out.busy / chosen.seconds
                    each = 1000 * out.busy / out.requests
                    print(
                        f"    server computed      {share:.0%} of a core, "
                        f"{each:.1f} ms a request with all its frames"
                    )
                    ratio = statistics.median(out.frames) / statistics.median(out.floor)
                    print(f"    ratio of the medians {ratio:6.1f}")
        finally:
            site.kill()


if __name__ == "__main__":
    main()
