"""A line between a browser and a site that can go dead without a word, as in a tunnel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus


class StallingProxy:
    """Passes on what both sides say. The sockets on it at the time can be made to hear nothing,
    and so can those that connect while it `loses_handshakes`.

    While `forms` is not None, no POST gets to the site: it is answered with these bytes, as by a
    proxy; with b"" it is never answered; and with RESET its connection is reset. While
    `refuses_sockets`, no WebSocket gets through. What is said on a socket that is held comes
    through late, when it is let go, also from a browser that has hung up meanwhile.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.dead: set[asyncio.StreamWriter] = set()
        self.held: set[asyncio.StreamWriter] = set()
        self.sockets: set[asyncio.StreamWriter] = set()  # browsers' ends of open WebSockets
        self.ends: list[asyncio.StreamWriter] = []  # of all connections, with browsers and site
        self.loses_handshakes = False
        self.refuses_sockets = False
        self.forms: bytes | None = None
        self.delay = 0.0  # seconds that what the site says takes, but for static files
        self.url = ""

    def stall(self) -> None:
        """From now on these sockets stay open, and nothing comes through."""
        self.dead |= self.sockets

    def hold(self) -> None:
        """From now on nothing comes through on these sockets, until `let_go`."""
        self.held |= self.sockets

    def let_go(self) -> None:
        """What was held comes through."""
        self.held.clear()

    def cut(self) -> None:
        """Both ends of these sockets are gone at once."""
        for browser in list(self.sockets):
            self.loop.call_soon_threadsafe(browser.transport.abort)

    async def serve(self, ready: threading.Event, over: asyncio.Event) -> None:
        self.loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        await over.wait()
        server.close()

    def _accepted(
        self, from_browser: asyncio.StreamReader, browser: asyncio.StreamWriter
    ) -> Coroutine[None, None, None]:
        self.ends.append(browser)  # also where its task is ended before it begins
        return self._connected(from_browser, browser)

    async def _connected(
        self, from_browser: asyncio.StreamReader, browser: asyncio.StreamWriter
    ) -> None:
        is_file = False

        async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            nonlocal is_file
            with suppress(OSError):
                while said := await source.read(65536):
                    if self.forms is not None and said.startswith(b"POST "):
                        await _answer(self.forms, source, browser)
                        break
                    if self.refuses_sockets and b"Upgrade: websocket" in said:
                        await _answer(error_page(HTTPStatus.FORBIDDEN), source, browser)
                        break
                    if source is from_browser:
                        is_file = said.startswith(b"GET /static/")
                    elif self.delay and not is_file:
                        await asyncio.sleep(self.delay)
                    if self.loses_handshakes and b"Upgrade: websocket" in said:
                        self.dead.add(browser)
                    while browser in self.held:
                        await asyncio.sleep(0.02)
                    if browser not in self.dead:
                        if source is from_site and said.startswith(b"HTTP/1.1 101"):
                            self.sockets.add(browser)
                        target.write(said)
                        await target.drain()
            if source is from_browser or browser not in self.dead:  # nor does an end come through
                target.close()

        try:
            with suppress(asyncio.CancelledError):  # the line is taken down
                from_site, site = await asyncio.open_connection("127.0.0.1", self.port)
                self.ends.append(site)
                try:
                    await asyncio.gather(pass_on(from_browser, site), pass_on(from_site, browser))
                finally:
                    site.transport.abort()
        finally:
            browser.transport.abort()


RESET = b"reset"


def error_page(status: HTTPStatus) -> bytes:
    """What a proxy answers by itself: a page of its own."""
    page = f"<html><body><center><h1>{status} {status.phrase}</h1></center><hr>proxy</body></html>"
    head = f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: text/html\r\nConnection: close"
    return f"{head}\r\nContent-Length: {len(page)}\r\n\r\n{page}".encode()


async def _answer(
    answer: bytes, source: asyncio.StreamReader, browser: asyncio.StreamWriter
) -> None:
    if answer == RESET:
        browser.transport.abort()
        return
    if answer:
        browser.write(answer)
        await browser.drain()
        return
    await source.read()  # until the browser gives up


async def _settle() -> None:
    """Let the loop do what is ready, and what that makes ready, however slow the machine is."""
    await asyncio.sleep(0.05)
    for _ in range(10):
        await asyncio.sleep(0)


@contextmanager
def proxy_to(port: int) -> Iterator[StallingProxy]:
    """A line to the site on this port, laid in a thread of its own."""
    line, ready = StallingProxy(port), threading.Event()
    loop, over = asyncio.new_event_loop(), asyncio.Event()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(line.serve(ready, over))
        loop.run_until_complete(_settle())  # what was accepted begins, and can be ended
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        for end in line.ends:
            end.transport.abort()
        loop.run_until_complete(_settle())  # the transports close
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield line
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
