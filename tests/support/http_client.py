"""A player without a browser: session, forms and sockets, and the table as the page shows it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode

import aiohttp
from multidict import CIMultiDictProxy
from yarl import URL

PASSWORD = "seven toucans in a cup"
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_WS_PATH = re.compile(r'ws-connect="([^"]+)"')
_TALK = re.compile(r'<ol id="talk".*?</ol>', re.DOTALL)
_NAME = re.compile(r'name="username" value="([^"]+)"')
_TABLE = re.compile(r'<section\s+id="table"[^>]*>')
_OWN = re.compile(r'<section\s+id="own"[^>]*>')
_MOVE = re.compile(r'<button\b[^>]*\bname="do"\s+value="(\w+)"')
_END = "</section>"
_LARGE = 1_000_000  # bytes from which aiohttp wants a body in pieces

OnAnswer = Callable[["Answer"], None]


@dataclass(frozen=True)
class View:
    """A table on a page or in a frame: what it shows to one viewer, and what it offers.

    What a game shows besides is read by its `Controls`; see tests/support/page_players.py.
    """

    seq: int
    phase: str  # "" before the game
    seat: int | None  # None for a spectator
    my_turn: bool
    moves: frozenset[str]  # the values of `do` on the buttons
    table: str = field(repr=False)  # the fragment that is the same for everybody
    own: str = field(repr=False)

    @classmethod
    def of(cls, text: str) -> View | None:
        """The table that this HTML shows; None when it shows none."""
        table, place = _TABLE.search(text), _OWN.search(text)
        if table is None or place is None:
            return None
        own = text[place.start() : text.index(_END, place.end()) + len(_END)]
        return cls(
            seq=int(attribute(place[0], "data-seq") or attribute(table[0], "data-seq") or 0),
            phase=attribute(table[0], "data-phase"),
            seat=int(seat) if (seat := attribute(place[0], "data-seat")) else None,
            my_turn="is-turn" in place[0],
            moves=frozenset(_MOVE.findall(own)),
            table=text[table.start() : text.rindex(_END, 0, place.start()) + len(_END)],
            own=own,
        )

    @property
    def html(self) -> str:
        return self.table + self.own

    @property
    def must_confirm(self) -> bool:
        return "confirm" in self.moves


def attribute(tag: str, name: str) -> str:
    """The value of an attribute in a tag; "" where it has none."""
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""


@dataclass(frozen=True)
class Answer:
    """What the server answered; `request` is the method and the path, and the `do` of a form."""

    request: str
    url: URL
    status_code: int
    headers: CIMultiDictProxy[str]
    text: str

    @property
    def notice(self) -> str:
        """The words of a notice, which is all that a move is answered with; "" when it is done."""
        assert self.status_code == 200, f"{self.status_code} {self.url}\n{self.text}"
        return unescape(re.sub(r"<[^>]+>", "", self.text)).strip()

    @property
    def ws_path(self) -> str:
        """Where the page listens; "" where it does not."""
        found = _WS_PATH.search(self.text)
        return unescape(found[1]) if found else ""


def chat_of(text: str) -> str:
    """The list of what was said at the table; "" where a page or frame has none."""
    found = _TALK.search(text)
    return found[0] if found else ""


class Client:
    """One session at a site; `url` may change between requests to another process of it.

    Every answer, redirects too, is handed to `on_answer` before the next request is made.
    """

    def __init__(
        self, url: str, *, on_answer: OnAnswer | None = None, token: str = "", **session: Any
    ) -> None:
        """`session`: options of aiohttp.ClientSession. An event loop must be running."""
        self.url, self.token, self.on_answer = url, token, on_answer
        session.setdefault("cookie_jar", aiohttp.CookieJar(unsafe=True))  # for hosts in numbers
        session.setdefault("headers", {"Accept-Language": "en"})
        session.setdefault("timeout", aiohttp.ClientTimeout(total=60))
        self.http = aiohttp.ClientSession(**session)

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.key: cookie.value for cookie in self.http.cookie_jar}

    async def close(self) -> None:
        await self.http.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        data: Mapping[str, object] | bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """The page it ends on. Fields are sent as a form, bytes as they are."""
        sent, do = dict(headers or {}), ""
        if isinstance(data, Mapping):
            do = f" ({data['do']})" if "do" in data else ""
            data = urlencode(data).encode()
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        url = URL(self.url + path, encoded=True)
        while True:
            async with self.http.request(
                method,
                url,
                data=io.BytesIO(data) if data and len(data) > _LARGE else data,
                headers={"Referer": f"{self.url}/"} | sent,
                allow_redirects=False,
            ) as response:
                text = (await response.read()).decode("utf-8", "replace")
            what = f"{method} {url.raw_path_qs}{do}"
            answer = Answer(what, url, response.status, response.headers, text)
            if self.on_answer is not None:
                self.on_answer(answer)
            if response.status == 200 and (found := _TOKEN.search(text)):
                self.token = found[1]
            if response.status not in (301, 302, 303):
                return answer
            url = url.join(URL(response.headers["Location"], encoded=True))
            method, data, do = "GET", None, ""
            sent.pop("Content-Type", None)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.request("GET", path, headers=headers)

    async def post(self, path: str, *, htmx: bool = True, **fields: object) -> Answer:
        """A form as the browser sends it: with the token of the page, by htmx or without."""
        headers = {"HX-Request": "true", "X-CSRFToken": self.token} if htmx else {}
        fields = {"csrfmiddlewaretoken": self.token, **fields}
        return await self.request("POST", path, data=fields, headers=headers)

    async def connect(
        self, path: str, *, headers: Mapping[str, str] | None = None, **options: Any
    ) -> aiohttp.ClientWebSocketResponse:
        """An open WebSocket; `options` are those of aiohttp's ws_connect."""
        url, sent = URL(self.url + path, encoded=True), {"Origin": self.url, **(headers or {})}
        options = {"compress": 15} | options  # as browsers offer it
        return await self.http.ws_connect(url, headers=sent, max_msg_size=0, **options)

    async def sign_up(self, name: str = "") -> str:
        """Registers under this name, or becomes a guest; the name of the account."""
        await self.get("/account/signup/" if name else "/account/login/")
        path, form = "/account/guest", dict[str, Any]()
        if name:
            path, form = "/account/signup/", {"username": name, "email": ""}
            form |= {"password1": PASSWORD}
        answer = await self.post(path, htmx=False, next="/account/", **form)
        found = _NAME.search(answer.text)
        assert answer.url.path == "/account/" and found, answer.text
        return found[1]

    async def open_table(self, *, size: int, **settings: object) -> str:
        """Opens a table through the form of the lobby; its code."""
        form = {"preset": "asmodee_fr", "seats": size, "pace": "", "visibility": "public"}
        answer = await self.post("/games/new", htmx=False, **(form | settings))
        code = answer.url.path.removeprefix("/games/")
        assert re.fullmatch(r"[a-z0-9]{10}", code), answer.text
        return code

    async def act(self, code: str, action: str, **fields: Any) -> str:
        """An action at a table, such as sit, start or move: "" when done, else the refusal."""
        return (await self.post(f"/games/{code}/{action}", **fields)).notice
