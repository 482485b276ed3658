"""People at their browsers, without a browser: sessions, forms, sockets, all they were sent."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html import unescape
from typing import Any, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.live import LiveSite
from tests.wire.views import View

T = TypeVar("T")
PASSWORD = "seven toucans in a cup"
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_DEED = re.compile(rb"\bdo=(\w+)")
_CODE = re.compile(r"/games/([a-z0-9]+)")
_WS_PATH = re.compile(r'ws-connect="([^"]+)"')

# Rings whenever anybody hears anything, so that whoever waits looks again.
_news = threading.Condition()


def wait_until(true: Callable[[], T], what: str, *, patience: float = 15) -> T:
    """The first true value; looks again at every piece of news. Fails with `what` otherwise."""
    deadline = time.monotonic() + patience
    with _news:
        while not (found := true()):
            assert time.monotonic() < deadline, f"waited in vain: {what}"
            _news.wait(0.1)
    return found


@dataclass(frozen=True)
class Address:
    """Where a site, or one process of it, is reached."""

    url: str
    ws_url: str


@dataclass(frozen=True)
class Heard:
    """Something the server sent to somebody: all of it, and when it was here."""

    at: float  # seconds since 1970
    what: str  # "GET /games/…", "frame of /ws/…"
    text: str  # a frame; or the status, the headers and the body of an answer

    @property
    def view(self) -> View | None:
        """The table it shows; None when it shows none."""
        return View.of(self.text)


class Socket:
    """An open WebSocket. A thread of its own keeps every frame."""

    def __init__(self, person: Person, path: str, **headers: str) -> None:
        self.person, self.path = person, path
        self.frames: list[str] = []
        self.closed: int | None = None
        self._closing = ExitStack()
        self.connection = self._closing.enter_context(
            connect(
                person.site.ws_url + path,
                additional_headers={"Cookie": person.cookies, "Origin": person.site.url} | headers,
                open_timeout=30,
                max_size=None,
            )
        )
        answer = self.connection.response
        assert answer is not None
        person.keep(f"handshake of {path}", f"{answer.status_code}\n{answer.headers}")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for frame in self.connection:
                assert isinstance(frame, str)
                self.person.keep(f"frame of {self.path}", frame)
                if frame.startswith("<!--"):  # only to say: still here
                    continue
                with _news:
                    self.frames.append(frame)
                    _news.notify_all()
        except ConnectionClosed:
            pass
        with _news:
            self.closed = self.connection.close_code
            _news.notify_all()

    def close(self) -> None:
        self._closing.close()


class Person:
    """Somebody with a session of his own. `heard` holds everything the site ever sent him."""

    def __init__(self, site: LiveSite | Address, name: str = "") -> None:
        self.site, self.name = site, name
        self.heard: list[Heard] = []
        self.views: dict[str, View] = {}
        self.sockets: list[Socket] = []
        self.twins: list[Person] = []
        self.token = ""
        self.http = httpx.Client(
            base_url=site.url,
            follow_redirects=True,
            timeout=30,
            headers={"Referer": f"{site.url}/", "Accept-Language": "en"},
            event_hooks={"response": [self._keep_answer]},
        )

    # --- what reaches him -------------------------------------------------------------------

    def keep(self, what: str, text: str) -> None:
        one = Heard(time.time(), what, text)
        self.heard.append(one)
        view, code = one.view, _CODE.search(what)
        if view and code and self.views.get(code[1], view).seq <= view.seq:
            self.views[code[1]] = view

    def _keep_answer(self, answer: httpx.Response) -> None:
        body = answer.read().decode("utf-8", "replace")
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.multi_items())
        what = f"{answer.request.method} {answer.request.url.raw_path.decode()}"
        if deed := _DEED.search(answer.request.read()):
            what += f" ({deed[1].decode()})"
        self.keep(what, f"{answer.status_code}\n{headers}\n\n{body}")
        if answer.is_success and (found := _TOKEN.search(body)):
            self.token = found[1]

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def sees(self, code: str) -> View:
        """The newest view of a table: its page, or what a socket made of it since."""
        return self.views[code]

    # --- arriving ---------------------------------------------------------------------------

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def register(self) -> Person:
        self.get("/account/signup/")
        words = {"username": self.name, "password1": PASSWORD, "password2": PASSWORD}
        answer = self.post("/account/signup/", htmx=False, email="", next="/account/", **words)
        assert answer.url.path == "/account/", answer.text
        return self

    def sign_in(self) -> Person:
        self.get("/account/login/")
        words = {"login": self.name, "password": PASSWORD, "next": "/account/"}
        assert self.post("/account/login/", htmx=False, **words).url.path == "/account/"
        return self

    def arrive_as_guest(self) -> Person:
        self.get("/account/login/")
        answer = self.post("/account/guest", htmx=False, next="/account/")
        assert answer.url.path == "/account/", answer.text
        found = re.search(r'name="username" value="([^"]+)"', answer.text)
        assert found, answer.text
        self.name = found[1]
        return self

    def at(self, site: LiveSite | Address) -> Person:
        """The same person with the same session, served by another process of the site."""
        twin = Person(site, self.name)
        twin.http.cookies.update(self.http.cookies)
        twin.token, twin.views = self.token, dict(self.views)
        self.twins.append(twin)
        return twin

    # --- deeds ------------------------------------------------------------------------------

    def post(self, path: str, *, htmx: bool = True, **fields: Any) -> httpx.Response:
        """A form as the browser sends it: with the token of the page, by htmx or without."""
        headers = {"HX-Request": "true", "X-CSRFToken": self.token} if htmx else {}
        return self.http.post(
            path, data={"csrfmiddlewaretoken": self.token, **fields}, headers=headers
        )

    def deed(self, code: str, name: str, **fields: Any) -> str:
        """Something done at a table: "" when it is done, else the words of the refusal."""
        return said(self.post(f"/games/{code}/{name}", **fields))

    def move(self, code: str, do: str, *, seen: int | None = None, **fields: Any) -> str:
        """A move from the newest screen, or from the one he says he has `seen`."""
        seen = self.sees(code).seq if seen is None else seen
        return self.deed(code, "move", do=do, seen=seen, **fields)

    def open_table(self, *, size: int, **settings: Any) -> str:
        """Opens a table through the form of the lobby; its code."""
        form = {"preset": "asmodee_fr", "seats": size, "pace": "", "public": "yes"}
        answer = self.post("/games/new", htmx=False, **(form | settings))
        assert answer.url.path.startswith("/games/") and answer.url.path != "/games/new", (
            answer.text
        )
        return answer.url.path.removeprefix("/games/")

    def look_at(self, code: str, *, listen: bool = True, query: str = "") -> Person:
        """Opens the table's page and, as its script does, the socket the page names."""
        page = self.get(f"/games/{code}")
        assert page.status_code == httpx.codes.OK, page.status_code
        if listen:
            found = _WS_PATH.search(page.text)
            assert found, page.text
            self.sockets.append(Socket(self, unescape(found[1]) + query))
        return self

    def listen(self, path: str, **headers: str) -> Socket:
        self.sockets.append(Socket(self, path, **headers))
        return self.sockets[-1]

    def go_home(self) -> None:
        for twin in self.twins:
            twin.go_home()
        for socket in self.sockets:
            socket.close()
        self.http.close()


def said(answer: httpx.Response) -> str:
    """The words of a notice; "" when there is nothing to say, which means: done."""
    assert answer.status_code == httpx.codes.OK, f"{answer.status_code} {answer.url}\n{answer.text}"
    return unescape(re.sub(r"<[^>]+>", "", answer.text)).strip()


@contextmanager
def door() -> Iterator[Callable[..., Person]]:
    """Lets people in and sees everybody home: `come(site)` is a guest, `come(site, "Ana")`
    registers, a stranger does neither."""
    came: list[Person] = []

    def come(site: LiveSite, name: str = "", *, stranger: bool = False) -> Person:
        person = Person(site, name)
        came.append(person)
        if not stranger:
            person.register() if name else person.arrive_as_guest()
        return person

    try:
        yield come
    finally:
        for person in came:
            person.go_home()
