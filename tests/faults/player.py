"""One person who plays: he notes every move he was told is made, and comes back by himself when
he is cut off, as a browser does."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

import aiohttp

from tests.wire.autopilot import Deed, careless
from tests.wire.views import View

if TYPE_CHECKING:
    from tests.faults.crowd import Crowd

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_WS_PATH = re.compile(r'ws-connect="([^"]+)"')
_TALK = re.compile(r'<ol id="talk".*?</ol>', re.DOTALL)
_FAILED = (aiohttp.ClientError, TimeoutError, OSError)
# What a browser of ours does (site.js): it listens again soon after its socket is gone, later and
# later while nobody answers, and at once when its own move does not come back to it. A handshake
# that nobody answers is given up.
FIRST_TRY, LAST_TRY = 0.2, 4.0
KNOCK_SECONDS = 10.0
UNHEARD_SECONDS = 4.0
SILENT_SECONDS = 45.0


@dataclass(frozen=True)
class Attempt:
    """A move that was sent; `yes` when the site answered that it is made."""

    code: str
    seat: int
    seen: int
    deed: Deed
    yes: bool


@dataclass
class Diary:
    """What happened to everybody, in numbers."""

    attempts: list[Attempt] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)  # notices, and answers that are no 200
    broken: list[str] = field(default_factory=list)  # answers nobody should get
    cut_off: int = 0  # requests without an answer
    lost: Counter[int | str | None] = field(default_factory=Counter)  # sockets by closing code
    pauses: list[float] = field(
        default_factory=list
    )  # from a lost socket to a screen that is true again
    waits: list[float] = field(default_factory=list)  # of answers to moves

    @property
    def acknowledged(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.yes]


class CutOff(Exception):
    """No answer came, or one that says the house is closed for a moment."""


class Player:
    """One person at one table, with a session of his own."""

    def __init__(self, crowd: Crowd, luck: random.Random) -> None:
        self.crowd, self.luck = crowd, luck
        self.at = luck.randrange(len(crowd.addresses))
        jar = aiohttp.CookieJar(unsafe=True)  # or it keeps none of an address in numbers
        self.http = aiohttp.ClientSession(
            cookie_jar=jar, connector=crowd.connector, connector_owner=False
        )
        self.token, self.code, self.ws_path = "", "", ""
        self.view: View | None = None
        self.talk = ""
        # By time.monotonic: when anything was heard, and since when the screen may be an old one.
        self.heard_at = 0.0
        self.lost_at: float | None = None
        self.news = asyncio.Event()
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.listening: asyncio.Task[None] | None = None
        self.home = False

    @property
    def base(self) -> str:
        return self.crowd.addresses[self.at]

    def turn_from(self, address: str) -> None:
        """To another process, unless somebody has turned there already."""
        if self.base == address:
            self.at = (self.at + 1) % len(self.crowd.addresses)

    # --- speaking -------------------------------------------------------------------------------

    async def ask(self, how: str, path: str, **fields: object) -> tuple[int, str, str]:
        """(status, text, path of the page it ended on); raises CutOff."""
        base = self.base
        headers = {"X-CSRFToken": self.token, "Referer": f"{base}/"}
        if "do" in fields:
            headers["HX-Request"] = "true"
        data = {name: str(value) for name, value in fields.items()}
        patience = aiohttp.ClientTimeout(total=20)
        try:
            async with self.http.request(
                how, base + path, data=data or None, headers=headers, timeout=patience
            ) as answer:
                text = await answer.text()
        except _FAILED:
            self.crowd.diary.cut_off += 1
            self.turn_from(base)
            raise CutOff from None
        if answer.status == 503:
            self.crowd.diary.words["503"] += 1
            self.turn_from(base)
            raise CutOff
        if answer.status >= 400:
            self.crowd.diary.broken.append(f"{answer.status} {how} {path} {text[:200]!r}")
            raise CutOff
        if found := _TOKEN.search(text):
            self.token = found[1]
        return answer.status, text, answer.url.path

    async def arrive(self) -> None:
        await self.ask("GET", "/account/login/")
        await self.ask("POST", "/account/guest", next="/account/")

    async def open_table(self, bots: int, **settings: str) -> str:
        form = {
            "preset": "asmodee_fr",
            "pace": str(self.crowd.pace),
            "public": "no",
            "lost_dice_visible": "on",
        }
        form |= {"seats": str(2 + bots)} | settings
        _, _, path = await self.ask("POST", "/games/new", **form)
        self.code = path.removeprefix("/games/")
        for _ in range(bots):
            await self.deed("add-bot", kind="steady")
        return self.code

    async def deed(self, name: str, **fields: object) -> str:
        """The words of the refusal; "" when it is done."""
        path = f"/games/{self.code}/{name}"
        _, text, _ = await self.ask("POST", path, do=fields.pop("do", name), **fields)
        return unescape(re.sub(r"<[^>]+>", "", text)).strip()

    async def look(self) -> tuple[View | None, str, str]:
        """A fresh page: the table, the talk on it, and where it listens."""
        _, text, _ = await self.ask("GET", f"/games/{self.code}")
        said, where = _TALK.search(text), _WS_PATH.search(text)
        return View.of(text), said[0] if said else "", unescape(where[1]) if where else ""

    # --- listening ------------------------------------------------------------------------------

    async def sit(self, code: str) -> None:
        self.code = code
        self.view, self.talk, self.ws_path = await self.look()
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        tries = 0
        while not self.home:
            code: int | str | None = None
            base = self.base
            try:
                async with asyncio.timeout(KNOCK_SECONDS):
                    self.socket = await self.http.ws_connect(
                        base + self.ws_path, origin=base, max_msg_size=0
                    )
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
            self.crowd.diary.lost[code] += 1
            self.lost_at = self.lost_at or time.monotonic()
            self.turn_from(base)
            await asyncio.sleep(min(LAST_TRY, FIRST_TRY * 2**tries) * self.luck.uniform(0.25, 1))
            tries += 1

    async def _hear(self, socket: aiohttp.ClientWebSocketResponse) -> int | None:
        while True:
            message = await socket.receive(timeout=SILENT_SECONDS)
            if message.type != aiohttp.WSMsgType.TEXT:
                return socket.close_code
            self.heard_at = time.monotonic()
            view, said = View.of(message.data), _TALK.search(message.data)
            if view is not None:
                self.view = view
            if said:
                self.talk = said[0]
            elif self.lost_at is not None:  # a frame, or the word that the old one is still true
                self.crowd.diary.pauses.append(self.heard_at - self.lost_at)
                self.lost_at = None
            self.news.set()

    def cut(self) -> None:
        """The line breaks without a word."""
        if self.socket is not None and self.socket._response.connection is not None:
            transport = self.socket._response.connection.transport
            if transport is not None:
                transport.abort()

    # --- playing --------------------------------------------------------------------------------

    async def play(self) -> None:
        """Does what his own screen asks of him, until the game is over."""
        acted = thought = -1
        while not self.crowd.pausing.is_set() and not self.home:
            view = self.view
            if view is not None and view.phase == "over":
                return
            deed = careless(view, self.luck) if view is not None and view.seq > acted else None
            if view is None or deed is None:
                await self._hear_news(1.0)
                continue
            if view.seq > thought:  # once: a screen drawn anew, or a deed that failed, is no news
                await asyncio.sleep(self.crowd.thinks(self.luck))
                thought = view.seq
                continue  # look again before you leap
            done = await self._move(view, deed)
            if done is None:
                await asyncio.sleep(0.3)
                continue
            acted = view.seq
            if done and self.view.seq <= view.seq:
                await self._hear_news(UNHEARD_SECONDS)
                if self.view.seq <= view.seq and self.socket is not None:
                    await self.socket.close(code=4000)

    async def _move(self, view: View, deed: Deed) -> bool | None:
        """Whether it is made; None when nobody knows."""
        assert view.seat is not None
        diary, began = self.crowd.diary, time.monotonic()
        try:
            words = await self.deed("move", seen=view.seq, **deed)
        except CutOff:
            diary.attempts.append(Attempt(self.code, view.seat, view.seq, deed, yes=False))
            return None
        finally:
            diary.waits.append(time.monotonic() - began)
        diary.attempts.append(Attempt(self.code, view.seat, view.seq, deed, yes=not words))
        if words:
            diary.words[words] += 1
        return not words

    async def _hear_news(self, seconds: float) -> None:
        self.news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.news.wait(), seconds)

    async def go_home(self) -> None:
        self.home = True
        if self.listening is not None:
            self.listening.cancel()
            await asyncio.gather(self.listening, return_exceptions=True)
        await self.http.close()
