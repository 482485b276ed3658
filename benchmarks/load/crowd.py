"""Players at real sockets and keep-alive connections, who play whole games or as fast as they may.

As little as possible is read of what arrives: the number a screen shows, and from the screen of
who is to act, what it offers.
"""

from __future__ import annotations

import asyncio
import gc
import random
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import aiohttp

from tests.client import Client, View

PATIENCE = 10  # seconds after which a frame is lost
BIDS = 8  # made in a round before somebody doubts
TOKEN = secrets.token_hex(16)  # of the forms; cookie and header have to agree, no more
AT_ONCE = 40  # people who arrive together

_OWN = b'id="own"'
_SEQ = re.compile(rb'data-seq="(\d+)"')

Form = dict[str, object]


class Screen:
    """One open socket: the newest number it was sent, and the frame it came with."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seq = -1
        self.frame = b""
        self.listening: asyncio.Task[None] | None = None

    @property
    def view(self) -> View:
        view = View.of(self.frame.decode())
        assert view is not None  # noqa: S101
        return view

    async def listen(self, client: Client) -> None:
        path = f"/ws/games/{self.table.code}?lang=en"
        socket: Any = await client.connect(path, decode_text=False)
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.listening = asyncio.create_task(self._hear(socket, first))
        async with asyncio.timeout(60):
            await first

    async def _hear(
        self, socket: aiohttp.ClientWebSocketResponse[Any], first: asyncio.Future[None]
    ) -> None:
        async for message in socket:
            own = message.data.find(_OWN)
            if own < 0:
                continue  # talk
            now = perf_counter()
            found = _SEQ.search(message.data, own)
            seq = int(found[1]) if found else -1
            if seq > self.seq:
                before, self.seq, self.frame = self.seq, seq, message.data
                self.table.shown(before, seq, now, len(message.data))
            if not first.done():
                first.set_result(None)
        if not first.done():
            first.set_exception(ConnectionError(f"closed with {socket.close_code}"))


class Person:
    """Somebody who sits: a session, a connection that stays open, a screen."""

    def __init__(self, url: str, session: str, screen: Screen) -> None:
        self.screen = screen
        self.client = Client(
            url,
            token=TOKEN,
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=600),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"Cookie": f"sessionid={session}; csrftoken={TOKEN}"},
        )

    async def arrive(self) -> None:
        await self.client.get("/healthz")  # opens the connection
        await self.screen.listen(self.client)

    async def post(self, form: Form) -> bool:
        """Whether the move was taken: a refusal is an answer with something to say."""
        try:
            return not await self.client.act(self.screen.table.code, "move", **form)
        except (aiohttp.ClientError, AssertionError):
            return False


@dataclass(slots=True)
class Move:
    """A move that was taken, from its click to the last screen, in seconds of perf_counter."""

    clicked: float
    shown: float
    size: int  # bytes of all its frames


@dataclass
class Told:
    """What happened at all the tables."""

    moves: list[Move] = field(default_factory=list)
    lost: int = 0  # screens that did not show a move in time
    failed: int = 0  # posts that were refused or broke
    sizes: list[int] = field(default_factory=list)  # of single frames


class Table:
    """Six people, and perhaps others who look on."""

    def __init__(self, code: str, told: Told) -> None:
        self.code, self.told = code, told
        self.people: list[Person] = []
        self.screens: list[Screen] = []
        self.bids = 0  # in this round
        self.looked: list[Person] = []  # who has seen the dice of this round
        self._seen, self._missing, self._size = -1, 0, 0
        self._all: asyncio.Future[float] | None = None

    def shown(self, before: int, seq: int, now: float, size: int) -> None:
        """A screen shows `seq` where it showed `before`."""
        if before <= self._seen < seq and self._all is not None:
            self._size += size
            self._missing -= 1
            if not self._missing and not self._all.done():
                self._all.set_result(now)

    async def step(self, mover: Person, form: Form, due: float | None) -> None:
        """One move: posted, taken, and seen on every screen. `due` is when it was meant to be."""
        self._seen = int(str(form["seen"]))
        self._missing = sum(1 for screen in self.screens if screen.seq <= self._seen)
        self._size, self._all = 0, asyncio.get_running_loop().create_future()
        clicked = due or perf_counter()
        if not await mover.post(form):
            self.told.failed += 1
            await asyncio.sleep(0.1)
            return
        try:
            async with asyncio.timeout(PATIENCE):
                last = await self._all
        except TimeoutError:
            self.told.lost += self._missing
            return
        self.told.moves.append(Move(clicked, last, self._size))
        if len(self.told.sizes) < 5000:
            self.told.sizes.append(self._size // len(self.screens))


Play = Callable[[Table], tuple[Person, Form] | None]


def site_play(table: Table) -> tuple[Person, Form] | None:
    """Bids that rise by the least, then a doubt, then everybody has seen the dice; None: over."""
    for person in table.people:
        view = person.screen.view
        seen: Form = {"seen": person.screen.seq}
        if view.must_confirm and person not in table.looked:
            table.looked.append(person)
            return person, {"do": "confirm"} | seen
        if view.my_turn:
            if table.looked:
                table.bids, table.looked = 0, []
            bid = view.lowest_bid
            if bid is None or (view.can_dudo and table.bids >= BIDS):
                return person, {"do": "dudo"} | seen
            table.bids += 1
            return person, bid | seen
    return None


def floor_play(table: Table) -> tuple[Person, Form] | None:
    """Whoever's turn it is does the one thing there is to do."""
    seq = table.people[0].screen.seq
    person = table.people[seq % len(table.people)]
    return person, {"do": "bid", "quantity": 3, "face": 5, "seen": seq}


class Crowd:
    """All the people of a cell, and where they go when a game is over."""

    def __init__(self, play: Play, urls: Sequence[str], *, mixed: bool = False) -> None:
        self.play, self.urls, self.mixed = play, urls, mixed
        self.told = Told()
        self.tables: list[Table] = []
        self.spare: list[Table] = []
        self.dry = False  # a game ended and no other was there
        self.stopped = False
        self._outside: Client | None = None

    async def arrive(self, staged: Sequence[dict[str, Any]], *, spare: int = 0) -> None:
        """Everyone takes their seat; the last `spare` tables wait until a game ends."""
        tables = [self._table(number, each) for number, each in enumerate(staged)]
        await self._in_turn([person.arrive for table in tables for person in table.people])
        self.tables, self.spare = tables[: len(tables) - spare], tables[len(tables) - spare :]
        gc.collect()
        gc.freeze()

    def _table(self, place: int, staged: dict[str, Any]) -> Table:
        table = Table(staged["code"], self.told)
        for number, session in enumerate(staged["sessions"]):
            screen = Screen(table)
            table.screens.append(screen)
            url = self.urls[(number if self.mixed else place) % len(self.urls)]
            table.people.append(Person(url, session, screen))
        return table

    async def watch(self, table: Table, count: int) -> None:
        """So many strangers more look on."""
        if self._outside is None:
            self._outside = Client(self.urls[0], connector=aiohttp.TCPConnector(limit=0))
        screens = [Screen(table) for _ in range(count)]
        await self._in_turn([partial(one.listen, self._outside) for one in screens])
        table.screens += screens

    async def _in_turn(self, arrivals: Sequence[Callable[[], Awaitable[None]]]) -> None:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(arrive: Callable[[], Awaitable[None]]) -> None:
            async with room:
                await arrive()

        await asyncio.gather(*map(one, arrivals))

    async def run(self, seconds: float, *, pace: float | None) -> None:
        """All tables play: each as fast as it can, or a move every `pace` seconds or so."""
        self.stopped = False
        playing = [asyncio.create_task(self._sit(n, pace)) for n in range(len(self.tables))]
        await asyncio.sleep(seconds)
        self.stopped = True
        await asyncio.gather(*playing)

    async def _sit(self, place: int, pace: float | None) -> None:
        luck = random.Random(place)  # noqa: S311
        due = perf_counter() + luck.uniform(0, pace or 0)
        while not self.stopped:
            late = None
            if pace:
                wait = due - perf_counter()
                late = due if wait < 0 else None  # the screen came after the next click was due
                await asyncio.sleep(max(0.0, wait))
                due += pace * luck.uniform(0.7, 1.3)
                if self.stopped:
                    return
            table = self.tables[place]
            turn = self.play(table)
            if turn is None:
                if not self.spare:
                    self.dry = True
                    return
                self.tables[place] = self.spare.pop()
                continue
            await table.step(*turn, late)

    async def leave(self) -> None:
        tables = self.tables + self.spare
        screens = [screen for table in tables for screen in table.screens]
        for screen in screens:
            if screen.listening:
                screen.listening.cancel()
        for table in tables:
            for person in table.people:
                await person.client.close()
        if self._outside is not None:
            await self._outside.close()
        gc.unfreeze()
