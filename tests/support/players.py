"""Players for tests that block: the client in an event loop of its own, and all it was sent."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar
from urllib.parse import urlencode

import aiohttp
from yarl import URL

from tests.support.http_client import Answer, Client, View
from tests.support.live_site import STAMP, LiveSite

T = TypeVar("T")
_CODE = re.compile(r"/games/([a-z0-9]+)(?!\S*/board)\b")  # on a big screen they are nobody
# Set when a player receives anything, so that `wait_for` checks again.
_news = threading.Event()
_numbers = count(1)  # of moves over sockets
RESTARTS = 1012  # the close code of a process that stops: it has not tried what it has not answered
_loop = asyncio.new_event_loop()
threading.Thread(target=_loop.run_forever, daemon=True).start()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Its result, from the event loop that all players share; any thread may ask."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result()


def wait_for(true: Callable[[], T], what: str, *, patience: float = 15) -> T:
    """The first true value; looks again at every piece of news. Fails with `what` otherwise."""
    deadline = time.monotonic() + patience
    while True:
        _news.clear()
        if found := true():
            return found
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        _news.wait(0.1)


@dataclass(frozen=True)
class Address:
    """Where a site, or one process of it, is reached."""

    url: str


@dataclass(frozen=True)
class Received:
    """Something the server sent to somebody: all of it, and when it was here."""

    at: float  # seconds since 1970
    what: str  # "GET /games/…", "frame of /ws/…"
    text: str  # a frame; or the status, the headers and the body of an answer

    @property
    def view(self) -> View | None:
        """The table it shows; None when it shows none."""
        return View.of(self.text)


class PlayerSocket:
    """An open WebSocket that keeps every frame. Refused: WSServerHandshakeError."""

    def __init__(self, person: HttpPlayer, path: str, headers: Mapping[str, str]) -> None:
        self.person, self.path = person, path
        self.frames: list[str] = []
        self.answers: dict[int, dict[str, Any]] = {}  # to moves, by their number
        self.closed: int | None = None
        self.is_current = False  # the site has said that the page has been sent all there is
        self._pong = threading.Event()
        run(self._open(headers))

    async def _open(self, headers: Mapping[str, str]) -> None:
        # Pings are answered here, so that pongs are seen.
        self._connection = await self.person.client.connect(
            self.path, headers=headers, autoping=False
        )
        answer = self._connection._response
        self.person.record(
            f"handshake of {self.path}", f"{answer.status}\n{_lines(answer.headers)}"
        )
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self._connection:
            if message.type == aiohttp.WSMsgType.PING:
                await self._connection.pong(message.data)
            elif message.type == aiohttp.WSMsgType.PONG:
                self._pong.set()
            elif message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                frame = message.data
                frame = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
                self.person.record(f"frame of {self.path}", frame)
                shown = STAMP.sub("", frame)
                if shown.startswith("{"):
                    answer = json.loads(shown)
                    self.answers[answer["n"]] = answer
                elif shown:
                    self.frames.append(shown)
                else:  # a heartbeat, and the end of the first look
                    self.is_current = True
                _news.set()
        self.closed = self._connection.close_code
        _news.set()

    def is_of(self, code: str) -> bool:
        """Whether it is that of the page of a table, with its controls."""
        return self.path.partition("?")[0] == f"/ws/games/{code}"

    def send(self, data: str | bytes) -> None:
        line = self._connection
        run(line.send_str(data) if isinstance(data, str) else line.send_bytes(data))

    def move(self, **fields: Any) -> dict[str, Any]:
        """The answer to a move made as by a page. ClientConnectionError: none came.

        A page sends none before it is current: until then the site ignores what it says.
        """
        wait_for(lambda: self.is_current or self.closed is not None, "the first state")
        number = next(_numbers)
        given = {"n": number, "at": int(1000 * time.time())} | fields
        with suppress(ConnectionError):
            self.send(f"move {urlencode(given)}")
        there = lambda: number in self.answers or self.closed is not None  # noqa: E731
        wait_for(there, "the answer to a move")
        if number not in self.answers and self.closed == RESTARTS:
            return {"post": True}
        if number not in self.answers:
            raise aiohttp.ClientConnectionError
        return self.answers[number]

    def ping(self) -> bool:
        self._pong.clear()
        run(self._connection.ping())
        return self._pong.wait(5)

    def close(self) -> None:
        run(self._connection.close())


def _lines(headers: Mapping[str, str]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in headers.items())


class HttpPlayer:
    """Somebody with a session of their own. `received` holds everything the site ever sent them."""

    def __init__(self, site: LiveSite | Address, name: str = "") -> None:
        self.site, self.name = site, name
        self.received: list[Received] = []
        self.views: dict[str, View] = {}
        self.sockets: list[PlayerSocket] = []
        self.twins: list[HttpPlayer] = []
        # Moves that go by POST and over a socket in turn, whatever chance says of others.
        self.in_turn: Collection[str] = ()
        self._turn = 0
        self.client = run(self._new_client())

    async def _new_client(self) -> Client:
        return Client(self.site.url, on_answer=self._keep_answer)

    def record(self, what: str, text: str) -> None:
        one = Received(time.time(), what, text)
        self.received.append(one)
        view, code = one.view, _CODE.search(what)
        if view and code and self.views.get(code[1], view).seq <= view.seq:
            self.views[code[1]] = view

    def _keep_answer(self, answer: Answer) -> None:
        head = f"{answer.status_code}\n{_lines(answer.headers)}"
        self.record(answer.request, f"{head}\n\n{answer.text}")

    def view(self, code: str) -> View:
        """The newest view of a table: its page, or what a socket made of it since."""
        return self.views[code]

    def sign_up(self) -> HttpPlayer:
        """Registers under the name, or becomes a guest without one."""
        self.name = run(self.client.sign_up(self.name))
        return self

    def be_called(self, name: str) -> HttpPlayer:
        """A guest takes this name; others may have the one they were given."""
        self.post("/account/", htmx=False, username=name)
        assert f'name="username" value="{name}"' in self.get("/account/").text
        self.name = name
        return self

    def at(self, site: LiveSite | Address) -> HttpPlayer:
        """The same person with the same session, served by another process of the site."""
        twin = HttpPlayer(site, self.name)
        twin.client.http.cookie_jar.update_cookies(self.client.cookies, URL(site.url))
        twin.client.token, twin.views = self.client.token, dict(self.views)
        self.twins.append(twin)
        return twin

    def request(self, method: str, path: str, **options: Any) -> Answer:
        """As Client.request: without a token unless it is in `data` or `headers`."""
        return run(self.client.request(method, path, **options))

    def get(self, path: str, **headers: str) -> Answer:
        return run(self.client.get(path, **headers))

    def post(self, path: str, *, htmx: bool = True, **fields: Any) -> Answer:
        return run(self.client.post(path, htmx=htmx, **fields))

    def action(self, code: str, name: str, **fields: Any) -> str:
        """Something done at a table: "" when it is done, else the words of the refusal."""
        return run(self.client.act(code, name, **fields))

    def move(self, code: str, do: str, *, seen: int | None = None, **fields: Any) -> str:
        """A move from the newest screen, or from the one they say they have `seen`.

        By chance or in turn over the socket of their page, as from a browser, or by POST, which
        alone takes long fields; "" when it is done, else the words of the refusal.
        """
        seen = self.view(code).seq if seen is None else seen
        open_ones = (each for each in self.sockets if each.is_of(code) and each.closed is None)
        socket = next(open_ones, None)
        is_long = len(urlencode(fields | {"do": do, "seen": seen})) > 1000
        if socket is None or is_long or self._posts(do):
            return self.action(code, "move", do=do, seen=seen, **fields)
        answer = socket.move(do=do, seen=seen, **fields)
        if answer.get("post"):  # a process that is about to stop has not tried
            return self.action(code, "move", do=do, seen=seen, **fields)
        assert "status" not in answer, answer
        return str(answer.get("notice", ""))

    def _posts(self, do: str) -> bool:
        if do not in self.in_turn:
            return random.random() < 0.5  # noqa: S311  # seeded for each test
        self._turn += 1
        return self._turn % 2 == 1

    def open_table(self, *, size: int, **settings: Any) -> str:
        return run(self.client.open_table(size=size, **settings))

    def open_page(self, code: str, *, listen: bool = True, query: str = "") -> HttpPlayer:
        """Opens the table's page and, as its script does, the socket the page names."""
        page = self.get(f"/games/{code}")
        assert page.status_code == 200, page.status_code
        if listen:
            self.listen(page.ws_path + query)
        return self

    def listen(self, path: str, **headers: str) -> PlayerSocket:
        self.sockets.append(PlayerSocket(self, path, headers))
        return self.sockets[-1]

    def close_sockets(self) -> None:
        for twin in self.twins:
            twin.close_sockets()
        for socket in self.sockets:
            socket.close()
        run(self.client.close())


def take_seats(people: Iterable[HttpPlayer], **settings: Any) -> str:
    """A table, not yet started, at which these people sit in this order.

    `settings` are the fields of the form; a `size` above their number leaves seats free.
    """
    host, *others = people
    code = host.open_table(**({"size": len(others) + 1} | settings))
    for person in others:
        assert person.action(code, "sit") == ""
    return code


def start_table(people: Sequence[HttpPlayer], **settings: object) -> str:
    """A running table of these people, each with an open socket."""
    code = take_seats(people, **settings)
    for person in people:
        person.open_page(code)
    assert people[0].action(code, "start") == ""
    wait_for_turn(people, code)
    return code


def open_pages(people: Sequence[HttpPlayer], code: str) -> None:
    """All look at a running table, each with an open socket."""
    for person in people:
        person.open_page(code)
    wait_for_turn(people, code)


def wait_for_turn(people: Sequence[HttpPlayer], code: str) -> None:
    wait_for(lambda: all(one.view(code).phase == "turn" for one in people), "the first turn")


@contextmanager
def player_factory() -> Iterator[Callable[..., HttpPlayer]]:
    """Creates visitors and closes their sessions: `come(site)` is a guest, `come(site, "Ana")`
    registers, a stranger does neither."""
    came: list[HttpPlayer] = []

    def new_player(site: LiveSite, name: str = "", *, stranger: bool = False) -> HttpPlayer:
        person = HttpPlayer(site, name)
        came.append(person)
        if not stranger:
            person.sign_up()
        return person

    try:
        yield new_player
    finally:
        for person in came:
            person.close_sockets()
