"""The door of the running site: HTTP to Django, WebSockets to the games, the clock wound once."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django
from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async
from channels.layers import get_channel_layer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import re_path

from perudo_site import alone, away, downloads, logs
from perudo_site.environment import WrongSetting

Application = Callable[[Any, Any, Any], Awaitable[None]]


class OneHopHandler(ASGIHandler):
    """A request goes to its thread once, with all its middleware, and comes back once.

    Django's own handler changes threads for every middleware that is not async, and every
    change costs more than the middleware.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


# The thread of the sockets and of the clock. Its connection to the database stays warm.
_games = SyncToAsync.single_thread_executor
_accounts = ThreadPoolExecutor(max_workers=1, thread_name_prefix="accounts")
_pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")


def begin_nothing_more() -> None:
    """For the end of the process: what waits for a thread by now waits for nobody."""
    for executor in (_games, _accounts, _pages):
        executor.shutdown(wait=False, cancel_futures=True)
    downloads.begin_nothing_more()


# Pages that write to the session when they are looked at (allauth's), or that may take long.
_NOT_ONLY_READ = ("/admin/", "/account/password/", "/account/second-step/")


def on_three_threads(scope: Any) -> ThreadPoolExecutor | None:
    """With SQLite, moves share the thread of the sockets and of the clock; what is only read has
    another, and so have accounts.

    So there is one connection for each, warm for as long as the process lives, and a move never
    waits for a lock of its own process. While another process keeps the file locked, writers
    wait for it on the first and the last; pages are read on, because in WAL mode a
    reader waits for nobody. Hashing a password takes a tenth of a second and 100 MB: on a thread
    of its own it holds up no move, and a crowd signing in queues instead of taking all the
    processors and all the memory.
    """
    if scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(_NOT_ONLY_READ):
        return _pages
    return _accounts if _hashes(scope) else _games


def moves_on_one_thread(scope: Any) -> ThreadPoolExecutor | None:
    """With PostgreSQL, moves share that thread; whatever may take longer has one of its own."""
    if _hashes(scope):
        return _accounts
    return _games if scope["method"] == "POST" and scope["path"].startswith("/games/") else None


def _hashes(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith(("/account/", "/admin/")) and path != "/account/data"


def on_threads(
    app: Application, *, choose: Callable[[Any], ThreadPoolExecutor | None]
) -> Application:
    """Run each request on the thread that is chosen for it; None is a new one."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        executor = choose(scope)
        if executor is None:
            return await app(scope, receive, send)
        async with ThreadSensitiveContext(executor=executor):
            await app(scope, receive, send)

    return application


def begin() -> None:
    """Wind the clock and open the lines to others, in the running loop; once is enough."""
    from games import clock, push

    clock.wind()
    push.speak_in(asyncio.get_running_loop())
    get_channel_layer().open()


def beginning(app: Application) -> Application:
    """A server of another make calls nothing before the first visitor, so every one begins it."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        begin()
        await app(scope, receive, send)

    return application


def open_the_door() -> Application:
    django.setup(set_prefix=False)
    if settings.REDIS_URL:
        alone.join(settings.DATA_DIR)
    else:
        alone.insist(settings.DATA_DIR)

    import perudo_site.urls  # noqa: F401  the views too are there before the first visitor
    from games.routing import websocket_urlpatterns
    from perudo_site import sockets

    small = settings.DATABASES["default"]["ENGINE"] == "perudo_site.sqlite3"
    http = on_threads(OneHopHandler(), choose=on_three_threads if small else moves_on_one_thread)
    elsewhere = re_path("", sockets.not_let_in)  # type: ignore[arg-type]  # an ASGI application
    listening = URLRouter([*websocket_urlpatterns, elsewhere])
    both = ProtocolTypeRouter(
        {"http": http, "websocket": away.hanging_up(sockets.guarded(listening))}
    )
    return logs.with_an_id(beginning(both), trusting=settings.BEHIND_PROXIES > 0)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
try:
    application = open_the_door()
except WrongSetting as wrong:
    sys.exit(str(wrong))

# What is loaded by now stays for good: the collector need not look at it again and again.
gc.collect()
gc.freeze()
