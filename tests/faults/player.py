"""One player of the storm: notes every move that was acknowledged, and reconnects as a browser
does."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import aiohttp

from tests.support import page_players
from tests.support.http_client import Answer, Client, View, chat_of
from tests.support.page_players import Action

if TYPE_CHECKING:
    from tests.faults.crowd import Crowd

_FAILED = (aiohttp.ClientError, TimeoutError, OSError)
# What a browser does (reconnect.js): it connects again soon after its socket is gone, later and
# later while nobody answers, and at once when its own move does not come back to it. A handshake
# that nobody answers is given up.
FIRST_TRY, LAST_TRY = 0.2, 4.0
KNOCK_SECONDS = 10.0
UNHEARD_SECONDS = 4.0
SILENT_SECONDS = 45.0
# A move over the socket that is not answered is given up, and another socket opened (moves.js).
ANSWER_SECONDS = 4.0
_NOW = re.compile(r"<!-- now (\d{13}) -->$")


@dataclass(frozen=True)
class Attempt:
    """A move that was sent; `yes` when the site answered that it is made."""

    code: str
    seat: int
    seen: int
    action: Action
    yes: bool


@dataclass
class Journal:
    """What happened to everybody, in numbers."""

    attempts: list[Attempt] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)  # notices, and answers that are no 200
    broken: list[str] = field(default_factory=list)  # answers nobody should get
    cut_off: int = 0  # requests and moves over sockets without an answer
    over_sockets: int = 0  # moves that were answered there
    lost: Counter[int | str | None] = field(default_factory=Counter)  # sockets by closing code
    # Seconds from a lost socket to a screen that is true again, and of answers to moves.
    pauses: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    @property
    def acknowledged(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.yes]


class CutOff(Exception):
    """No answer came, or one that says the site is closed for a moment."""


class Player(Client):
    """One person at one table, who turns to another process when theirs is away."""

    def __init__(
        self, crowd: Crowd, rng: random.Random, page_player: page_players.PagePlayer
    ) -> None:
        super().__init__(
            rng.choice(crowd.addresses),
            connector=crowd.connector,
            connector_owner=False,
            timeout=aiohttp.ClientTimeout(total=20),
        )
        self.crowd, self.rng, self.page_player = crowd, rng, page_player
        self.code, self.ws_path = "", ""
        self.view: View | None = None
        self.talk = ""
        # By time.monotonic: when anything was heard, and since when the screen may be an old one.
        self.heard_at = 0.0
        self.lost_at: float | None = None
        self.news = asyncio.Event()
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.asked = 0  # moves over sockets
        self.answer: asyncio.Future[dict[str, Any]] | None = None
        self.ahead = 0.0  # of the server's clock over time.monotonic, in ms
        self.listening: asyncio.Task[None] | None = None
        self.home = False

    def turn_from(self, url: str) -> None:
        """To another process, unless somebody has turned there already."""
        if self.url == url:
            urls = self.crowd.addresses
            self.url = urls[(urls.index(url) + 1) % len(urls)]

    # --- speaking -------------------------------------------------------------------------------

    async def request(self, method: str, path: str, **options: Any) -> Answer:
        """Raises CutOff when there is no answer, or one that is no page."""
        url = self.url
        try:
            answer = await super().request(method, path, **options)
        except _FAILED:
            self.crowd.journal.cut_off += 1
            self.turn_from(url)
            raise CutOff from None
        if answer.status_code == 503:
            self.crowd.journal.words["503"] += 1
            self.turn_from(url)
            raise CutOff
        if answer.status_code >= 400:
            refused = f"{answer.status_code} {answer.request} {answer.text[:200]!r}"
            self.crowd.journal.broken.append(refused)
            raise CutOff
        return answer

    async def host(self, bots: int, **settings: str) -> str:
        """Opens a table for two and so many bots; its code."""
        form = {"pace": self.crowd.pace, "visibility": "link", **self.page_player.TABLE, **settings}
        code = await self.open_table(size=2 + bots, **form)
        for _ in range(bots):
            await self.act(code, "add-bot", kind=self.page_player.BOT)
        return code

    async def look(self) -> Answer:
        """A fresh page of the table."""
        return await self.get(f"/games/{self.code}")

    # --- listening ------------------------------------------------------------------------------

    async def sit(self, code: str) -> None:
        self.code = code
        page = await self.look()
        self.view, self.talk, self.ws_path = View.of(page.text), chat_of(page.text), page.ws_path
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        tries = 0
        while not self.home:
            code: int | str | None = None
            url = self.url
            try:
                async with asyncio.timeout(KNOCK_SECONDS):
                    self.socket = await self.connect(self.ws_path)
                tries = 0
                code = await self._hear(self.socket)
            except _FAILED as failed:
                code = type(failed).__name__
            finally:
                if self.socket is not None:
                    await self.socket.close()
                    self.socket = None
            if self.home:
                return
            self.crowd.journal.lost[code] += 1
            self.lost_at = self.lost_at or time.monotonic()
            self.turn_from(url)
            await asyncio.sleep(min(LAST_TRY, FIRST_TRY * 2**tries) * self.rng.uniform(0.25, 1))
            tries += 1

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse) -> int | None:
        while True:
            message = await socket.receive(timeout=SILENT_SECONDS)
            if message.type != aiohttp.WSMsgType.TEXT:
                return socket.close_code
            self.heard_at = time.monotonic()
            if now := _NOW.search(message.data):
                self.ahead = int(now[1]) - 1000 * self.heard_at
            if message.data.startswith("{"):
                self._take_answer(json.loads(_NOW.sub("", message.data)))
                continue
            self.view = View.of(message.data) or self.view
            if talk := chat_of(message.data):
                self.talk = talk
            elif self.lost_at is not None:  # a frame, or the word that the old one is still true
                self.crowd.journal.pauses.append(self.heard_at - self.lost_at)
                self.lost_at = None
            self.news.set()

    def _take_answer(self, answer: dict[str, Any]) -> None:
        if self.answer is not None and not self.answer.done() and answer["n"] == self.asked:
            self.answer.set_result(answer)

    def drop_connections(self) -> None:
        """The line breaks without a word."""
        if self.socket is not None and self.socket._response.connection is not None:
            transport = self.socket._response.connection.transport
            if transport is not None:
                transport.abort()

    # --- playing --------------------------------------------------------------------------------

    async def play(self) -> None:
        """Does what the screen asks for, until the game is over."""
        acted = thought = -1
        while not self.crowd.pausing.is_set() and not self.home:
            view = self.view
            if view is not None and view.phase == "over":
                return
            new = view is not None and view.seq > acted
            action = self.page_player.random_action(view, self.rng) if new else None
            if view is None or action is None:
                await self._hear_news(1.0)
                continue
            if view.seq > thought:  # once: not for a screen drawn again or a failed action
                await asyncio.sleep(self.crowd.thinks(self.rng))
                thought = view.seq
                continue  # look again before you leap
            done = await self._move(view, action)
            if done is None:
                await asyncio.sleep(0.3)
                continue
            acted = view.seq
            if done and self.view.seq <= view.seq:
                await self._hear_news(UNHEARD_SECONDS)
                if self.view.seq <= view.seq and self.socket is not None:
                    await self.socket.close(code=4000)

    async def _move(self, view: View, action: Action) -> bool | None:
        """Whether it is made; None when nobody knows."""
        assert view.seat is not None
        journal, began = self.crowd.journal, time.monotonic()
        try:
            words = await self._send(seen=view.seq, **action)
        except CutOff:
            journal.attempts.append(Attempt(self.code, view.seat, view.seq, action, yes=False))
            return None
        finally:
            journal.waits.append(time.monotonic() - began)
        journal.attempts.append(Attempt(self.code, view.seat, view.seq, action, yes=not words))
        if words:
            journal.words[words] += 1
        return not words

    async def _send(self, **fields: Any) -> str:
        """A move, by chance over the socket or by POST: "" when it is made, else the refusal."""
        socket = self.socket
        if socket is None or self.lost_at is not None or self.rng.random() < 0.5:
            return await self.act(self.code, "move", **fields)
        self.asked += 1
        self.answer = asyncio.get_running_loop().create_future()
        at = int(1000 * time.monotonic() + self.ahead)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await socket.send_str(f"move {urlencode({'n': self.asked, 'at': at} | fields)}")
                answer = await self.answer
        except _FAILED:
            self.crowd.journal.cut_off += 1
            await socket.close(code=4000)
            raise CutOff from None
        if answer.get("post"):
            return await self.act(self.code, "move", **fields)
        if answer.get("status") == HTTPStatus.SERVICE_UNAVAILABLE:
            self.crowd.journal.words["503"] += 1
            raise CutOff
        if "status" in answer:
            self.crowd.journal.broken.append(f"{answer} over a socket")
            raise CutOff
        self.crowd.journal.over_sockets += 1
        return str(answer.get("notice", ""))

    async def _hear_news(self, seconds: float) -> None:
        self.news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), seconds)

    async def close_sockets(self) -> None:
        self.home = True
        if self.listening is not None:
            self.listening.cancel()
            await asyncio.gather(self.listening, return_exceptions=True)
        await self.close()
