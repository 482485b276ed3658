"""Clients with real sockets and keep-alive connections: six players a table, who play whole games.

As little as possible is read of what arrives: the number a screen shows, and from the screens of
those who may act, what they offer.
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
from time import perf_counter, time
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.support.http_client import Client, View
from tests.support.page_players import PagePlayer

PATIENCE = 10  # seconds after which a frame is lost
TOKEN = secrets.token_hex(16)  # of the forms; cookie and header have to agree, no more
AT_ONCE = 40  # clients that connect at the same time

_OWN = b'id="own"'
_SEQ = re.compile(rb'data-seq="(\d+)"')
_PADDING = re.compile(rb" {100,}")  # of a compressed frame

Form = dict[str, object]


class Screen:
    """One open socket: the newest number it was sent, and the frame it came with."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seq = -1
        self.frame = b""
        self.listening: asyncio.Task[None] | None = None
        self.socket: aiohttp.ClientWebSocketResponse[Any] | None = None
        self.asked = 0  # moves over this socket
        self.answer: asyncio.Future[bytes] | None = None

    @property
    def view(self) -> View:
        view = View.of(self.frame.decode())
        assert view is not None  # noqa: S101
        return view

    async def listen(self, client: Client) -> None:
        path = f"/ws/games/{self.table.code}?lang=en"
        socket: Any = await client.connect(path, decode_text=False)
        self.socket = socket
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.listening = asyncio.create_task(self._receive(socket, first))
        async with asyncio.timeout(60):
            await first

    async def _receive(
        self, socket: aiohttp.ClientWebSocketResponse[Any], first: asyncio.Future[None]
    ) -> None:
        async for message in socket:
            own = message.data.find(_OWN)
            if own < 0:
                if message.data.startswith(b"{") and self.answer is not None:
                    self.answer.set_result(message.data)
                continue  # that, or talk
            now = perf_counter()
            found = _SEQ.search(message.data, own)
            seq = int(found[1]) if found else -1
            if seq > self.seq:
                before, self.seq, self.frame = self.seq, seq, message.data
                padding = _PADDING.search(message.data)
                size = len(message.data) - (len(padding[0]) if padding else 0)
                self.table.shown(before, seq, now, size)
            if not first.done():
                first.set_result(None)
        if not first.done():
            first.set_exception(ConnectionError(f"closed with {socket.close_code}"))

    async def move(self, form: Form) -> bool:
        """Whether a move over this socket, as of a page, was taken."""
        assert self.socket is not None  # noqa: S101
        self.asked += 1
        self.answer = asyncio.get_running_loop().create_future()
        sent = {"n": self.asked, "at": int(1000 * time()), **form}
        await self.socket.send_str(f"move {urlencode(sent)}")
        async with asyncio.timeout(PATIENCE):
            return b'"seq":' in await self.answer


class Player:
    """A seated client: a session, a connection that stays open, a screen."""

    def __init__(self, url: str, session: str, screen: Screen, *, posts: bool) -> None:
        self.screen, self.posts = screen, posts
        self.client = Client(
            url,
            token=TOKEN,
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=600),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"Cookie": f"sessionid={session}; csrftoken={TOKEN}"},
        )

    async def connect(self) -> None:
        await self.client.get("/healthz")  # opens the connection
        await self.screen.listen(self.client)

    async def move(self, form: Form) -> bool:
        """Whether the move was taken: a refusal is an answer with something to say."""
        try:
            if not self.posts:
                return await self.screen.move(form)
            return not await self.client.act(self.screen.table.code, "move", **form)
        except (aiohttp.ClientError, AssertionError, TimeoutError):
            return False


@dataclass(slots=True)
class Move:
    """A move that was taken, from its click to the last screen, in seconds of perf_counter."""

    do: str  # its kind
    clicked: float
    shown: float
    size: int  # bytes of all its frames


@dataclass
class Measured:
    """What happened at all the tables."""

    moves: list[Move] = field(default_factory=list)
    lost: int = 0  # screens that did not show a move in time
    failed: int = 0  # moves that were refused or broke
    sizes: list[int] = field(default_factory=list)  # of single frames


class Table:
    """Six players, and perhaps spectators."""

    def __init__(self, code: str, measured: Measured) -> None:
        self.code, self.measured = code, measured
        self.players: list[Player] = []
        self.screens: list[Screen] = []
        self.made = 0  # moves in this round
        self._seen, self._missing, self._size = -1, 0, 0
        self._all: asyncio.Future[float] | None = None

    def shown(self, before: int, seq: int, now: float, size: int) -> None:
        """A screen shows `seq` where it showed `before`."""
        if before <= self._seen < seq and self._all is not None:
            self._size += size
            self._missing -= 1
            if not self._missing and not self._all.done():
                self._all.set_result(now)

    async def step(self, mover: Player, form: Form, due: float | None) -> None:
        """One move: sent, taken, and seen on every screen. `due` is when it was meant to be."""
        self._seen = int(str(form["seen"]))
        self._missing = sum(1 for screen in self.screens if screen.seq <= self._seen)
        self._size, self._all = 0, asyncio.get_running_loop().create_future()
        clicked = due or perf_counter()
        if not await mover.move(form):
            self.measured.failed += 1
            await asyncio.sleep(0.1)
            return
        try:
            async with asyncio.timeout(PATIENCE):
                last = await self._all
        except TimeoutError:
            self.measured.lost += self._missing
            return
        self.measured.moves.append(Move(str(form["do"]), clicked, last, self._size))
        if len(self.measured.sizes) < 5000:
            self.measured.sizes.append(self._size // len(self.screens))


Play = Callable[[Table], tuple[Player, Form] | None]


def site_play(page_player: PagePlayer) -> Play:
    """What the robot of a game does: the first player who may act does so; None: it is over."""

    def play(table: Table) -> tuple[Player, Form] | None:
        for player in table.players:
            action = page_player.fixed_action(player.screen.view, table.made)
            if action is not None:
                table.made = 0 if action["do"] == "confirm" else table.made + 1
                return player, action | {"seen": player.screen.seq}
        return None

    return play


def floor_play(table: Table) -> tuple[Player, Form] | None:
    """The player on turn does the one thing there is to do."""
    seq = table.players[0].screen.seq
    player = table.players[seq % len(table.players)]
    return player, {"do": "bid", "quantity": 3, "face": 5, "seen": seq}


class Clients:
    """All clients of a cell, and the tables at which they continue when a game is over."""

    def __init__(
        self, play: Play, urls: Sequence[str], *, mixed: bool = False, posts: bool = True
    ) -> None:
        self.play, self.urls, self.mixed, self.posts = play, urls, mixed, posts
        self.measured = Measured()
        self.tables: list[Table] = []
        self.spare: list[Table] = []
        self.ran_out = False  # a game ended and no other was prepared
        self.stopped = False
        self._connected: list[Table] = []
        self._outside: Client | None = None

    async def connect(self, staged: Sequence[dict[str, Any]], *, spare: int = 0) -> None:
        """All players connect; the last `spare` tables wait until a game ends."""
        tables = [self._table(number, each) for number, each in enumerate(staged)]
        await self._in_turn([player.connect for table in tables for player in table.players])
        self.tables, self.spare = tables[: len(tables) - spare], tables[len(tables) - spare :]
        self._connected = tables
        gc.collect()
        gc.freeze()

    def _table(self, place: int, staged: dict[str, Any]) -> Table:
        table = Table(staged["code"], self.measured)
        for number, session in enumerate(staged["sessions"]):
            screen = Screen(table)
            table.screens.append(screen)
            url = self.urls[(number if self.mixed else place) % len(self.urls)]
            table.players.append(Player(url, session, screen, posts=self.posts))
        return table

    async def watch(self, table: Table, count: int) -> None:
        """So many spectators more."""
        if self._outside is None:
            self._outside = Client(self.urls[0], connector=aiohttp.TCPConnector(limit=0))
        screens = [Screen(table) for _ in range(count)]
        await self._in_turn([partial(one.listen, self._outside) for one in screens])
        table.screens += screens

    async def _in_turn(self, connects: Sequence[Callable[[], Awaitable[None]]]) -> None:
        slots = asyncio.Semaphore(AT_ONCE)

        async def one(connect: Callable[[], Awaitable[None]]) -> None:
            async with slots:
                await connect()

        await asyncio.gather(*map(one, connects))

    async def run(self, seconds: float, *, pace: float | None) -> None:
        """All tables play: each as fast as it can, or a move every `pace` seconds or so."""
        self.stopped = False
        playing = [asyncio.create_task(self._play_at(n, pace)) for n in range(len(self.tables))]
        await asyncio.sleep(seconds)
        self.stopped = True
        await asyncio.gather(*playing)

    async def _play_at(self, place: int, pace: float | None) -> None:
        rng = random.Random(place)  # noqa: S311
        due = perf_counter() + rng.uniform(0, pace or 0)
        while not self.stopped:
            late = None
            if pace:
                wait = due - perf_counter()
                late = due if wait < 0 else None  # the screen came after the next click was due
                await asyncio.sleep(max(0.0, wait))
                due += pace * rng.uniform(0.7, 1.3)
                if self.stopped:
                    return
            table = self.tables[place]
            turn = self.play(table)
            if turn is None:
                if not self.spare:
                    self.ran_out = True
                    return
                self.tables[place] = self.spare.pop()
                continue
            await table.step(*turn, late)

    async def close(self) -> None:
        """Tables whose game is over too, which a spare one has replaced."""
        screens = [screen for table in self._connected for screen in table.screens]
        for screen in screens:
            if screen.listening:
                screen.listening.cancel()
        for table in self._connected:
            for player in table.players:
                await player.client.close()
        if self._outside is not None:
            await self._outside.close()
        gc.unfreeze()
