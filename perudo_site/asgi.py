"""The ASGI entry point: HTTP to Django, WebSockets to the games, and the scheduler's start."""

from __future__ import annotations

import asyncio
import gc
import logging
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
from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import re_path

from games.live import outage_handling
from perudo_site.env import InvalidSetting
from perudo_site.server import data_lock, downloads, logs

Application = Callable[[Any, Any, Any], Awaitable[None]]

logger = logging.getLogger(__name__)


class OneHopHandler(ASGIHandler):
    """Django's ASGI handler, with all middleware and the view in one visit to a thread.

    Django's own switches threads for every middleware that is not async, and every switch costs
    more than the middleware.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


# The thread of the sockets and the scheduler. Its database connection stays open.
_games = SyncToAsync.single_thread_executor
_accounts = ThreadPoolExecutor(max_workers=1, thread_name_prefix="accounts")
_pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")
# Pictures of link previews are drawn one at a time, and nothing else waits for them.
_previews = ThreadPoolExecutor(max_workers=1, thread_name_prefix="previews")


def shut_executors() -> None:
    """Cancel what is queued for a thread, at the end of the process."""
    from perudo_site import housekeeping

    for executor in (_games, _accounts, _pages, _previews):
        executor.shutdown(wait=False, cancel_futures=True)
    downloads.shut_executor()
    housekeeping.stop()


# Pages that write to the session on GET (allauth's), or that may take long.
_NOT_READ_ONLY = ("/admin/", "/account/password/", "/account/second-step/")


def sqlite_executor(scope: Any) -> ThreadPoolExecutor | None:
    """With SQLite: read-only pages on one thread, accounts on another, the rest with the games.

    The games thread is also that of the sockets and the scheduler. Each thread has one connection,
    open for as long as the process lives, and a move never waits for a lock of its own process.
    While another process keeps the file locked, writers wait on the games and accounts threads;
    pages are still served, because in WAL mode a reader never waits. Hashing a password takes a
    tenth of a second and 100 MB: on its own thread it delays no move, and many sign-ins at once
    queue up instead of taking all the processors and memory.
    """
    if _draws(scope):
        return _previews
    if scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(_NOT_READ_ONLY):
        return _pages
    return _accounts if _hashes_passwords(scope) else _games


def postgresql_executor(scope: Any) -> ThreadPoolExecutor | None:
    """With PostgreSQL: moves on the games thread, accounts on theirs, the rest on new threads."""
    if _draws(scope):
        return _previews
    if _hashes_passwords(scope):
        return _accounts
    return _games if scope["method"] == "POST" and scope["path"].startswith("/games/") else None


def _hashes_passwords(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith(("/account/", "/admin/")) and path != "/account/data"


def _draws(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith("/preview/") or path.endswith("/preview.png")


def on_executor(
    app: Application, *, choose: Callable[[Any], ThreadPoolExecutor | None]
) -> Application:
    """Run each request on the executor that `choose` returns; None means a new thread."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        executor = choose(scope)
        if executor is None:
            return await app(scope, receive, send)
        if executor is _pages:  # which must not wait for a lock; see sessions.py
            scope = {**scope, "writer": _games}
        async with ThreadSensitiveContext(executor=executor):
            await app(scope, receive, send)

    return application


def start() -> None:
    """Start scheduler and channel layer in the running loop, and housekeeping; idempotent."""
    from games.play import announce, scheduler
    from perudo_site import housekeeping

    scheduler.start()
    announce.use_loop(asyncio.get_running_loop())
    get_channel_layer().open()
    housekeeping.start()


def bring_names_up_to_date() -> None:
    """Look once, in the background, for names stored by an older version since `migrate`.

    In a rolling restart other processes may still write them; each process that starts looks again.
    """
    from accounts import name_keys
    from accounts.models import User

    def look() -> None:
        try:
            name_keys.bring_up_to_date(User.objects.all())
        except DatabaseError as error:
            logger.warning(
                "names not brought up to date error=%s", outage_handling.first_line(error)
            )
        finally:
            close_old_connections()

    _accounts.submit(look)


def starting(app: Application) -> Application:
    """Call `start` with every request: other servers than ours have no start hook."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        start()
        await app(scope, receive, send)

    return application


def build_application() -> Application:
    """Set Django up, lock the data folder and assemble the ASGI application."""
    django.setup(set_prefix=False)
    if settings.REDIS_URL:
        data_lock.shared(settings.DATA_DIR)
    else:
        data_lock.exclusive(settings.DATA_DIR)

    import perudo_site.urls  # noqa: F401  imports all views before the first request
    from games.live.routing import websocket_urlpatterns
    from perudo_site.ratelimit import websocket

    is_sqlite = settings.DATABASES["default"]["ENGINE"] == "perudo_site.sqlite3"
    http = on_executor(
        OneHopHandler(), choose=sqlite_executor if is_sqlite else postgresql_executor
    )
    unknown_path = re_path("", websocket.reject_handshake)  # type: ignore[arg-type]  # an ASGI app
    sockets = websocket.protect(URLRouter([*websocket_urlpatterns, unknown_path]))
    router = ProtocolTypeRouter(
        {"http": http, "websocket": outage_handling.close_socket_on_outage(sockets)}
    )
    return logs.with_request_id(starting(router), trust_header=settings.BEHIND_PROXIES > 0)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
try:
    application = build_application()
except InvalidSetting as error:
    sys.exit(str(error))

# What is loaded by now is never garbage: keep the collector from scanning it again and again.
gc.collect()
gc.freeze()
