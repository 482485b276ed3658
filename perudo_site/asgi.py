"""The ASGI entry point: HTTP to Django, WebSockets to the games, and the scheduler's start."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

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
from perudo_site.server.threads import Threads

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
_games = Threads([SyncToAsync.single_thread_executor])
_accounts = Threads.named("accounts")
# With PostgreSQL a page waits for the database now and then, and another is rendered meanwhile.
# Together with the other threads, and two for metrics and housekeeping, they need fewer connections
# than the pool has (`databases.postgresql`): there is always one for moves.
POSTGRESQL_PAGE_THREADS: Final = 2
_pages = Threads.named("pages")
_postgresql_pages = Threads.named("pages", POSTGRESQL_PAGE_THREADS)
# Files need no database, and a page none of theirs.
_files = Threads.named("files")
# Pictures of link previews are drawn one at a time, and nothing else waits for them.
_previews = Threads.named("previews")


def shut_executors() -> None:
    """Cancel what is queued for a thread, at the end of the process."""
    from perudo_site import housekeeping

    for threads in (_games, _accounts, _pages, _postgresql_pages, _files, _previews):
        threads.shut()
    downloads.shut_executor()
    housekeeping.stop()


# Pages that write to the session on GET (allauth's), or that may take long.
_NOT_READ_ONLY = ("/admin/", "/account/password/", "/account/second-step/")


def sqlite_threads(scope: Any) -> Threads:
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
    if _is_file(scope):
        return _files
    if scope["path"].endswith("/now"):
        return _games  # like the sockets, it notes who watches
    if scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(_NOT_READ_ONLY):
        return _pages
    return _accounts if _hashes_passwords(scope) else _games


def postgresql_threads(scope: Any) -> Threads:
    """With PostgreSQL: moves on the games thread, accounts on theirs, others on those of pages."""
    if _draws(scope):
        return _previews
    if _is_file(scope):
        return _files
    if _hashes_passwords(scope):
        return _accounts
    is_move = scope["method"] == "POST" and scope["path"].startswith("/games/")
    return _games if is_move else _postgresql_pages


def _hashes_passwords(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith(("/account/", "/admin/")) and path != "/account/data"


def _draws(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith("/preview/") or path.endswith("/preview.png")


def _is_file(scope: Any) -> bool:
    path: str = scope["path"]
    return path.startswith(settings.STATIC_URL) and scope["method"] in ("GET", "HEAD")


def on_threads(app: Application, *, choose: Callable[[Any], Threads]) -> Application:
    """Run each request on one of the threads that `choose` returns, once one of them is free.

    It is free again when the response begins: what follows needs the client, not the thread.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        threads = choose(scope)
        if threads is _pages:  # which must not wait for a lock; see sessions.py
            scope = {**scope, "writer": _games}
        async with threads.one() as thread:

            async def send_and_leave(message: Any) -> None:
                thread.leave()
                await send(message)

            async with ThreadSensitiveContext(executor=thread.executor):
                await app(scope, receive, send_and_leave)

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
    from perudo_site.ratelimit import requests, websocket

    is_sqlite = settings.DATABASES["default"]["ENGINE"] == "perudo_site.sqlite3"
    choose = sqlite_threads if is_sqlite else postgresql_threads
    http = requests.limit_requests(on_threads(OneHopHandler(), choose=choose))
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

# A move waits for the interpreter some ten times, after each query and between threads, and each
# time for as long as a busy thread may keep it: with Python's 5 ms a move beside a thread that
# renders pages takes two to five times as long (docs/performance.md).
sys.setswitchinterval(0.0005)

# What is loaded by now is never garbage: keep the collector from scanning it again and again.
gc.collect()
gc.freeze()
