"""The ASGI entry point: it routes HTTP to Django, WebSockets to the games, and starts the jobs."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import django
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch, re_path

from games.live import outage_handling
from perudo_site.env import InvalidSetting
from perudo_site.server import data_lock, downloads, logs, thread_choice
from perudo_site.server.thread_choice import Application

logger = logging.getLogger(__name__)


class OneHopHandler(ASGIHandler):
    """ASGI handler that runs all middleware and the view in one call on a thread.

    Django's own handler switches threads for every synchronous middleware, and a switch costs more
    than the middleware.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)

    def resolve_request(self, request: Any) -> ResolverMatch:
        """Return the match of a request's view, which `thread_choice` has found already."""
        match: ResolverMatch | None = request.scope.get("resolved")
        if match is None or request.path_info != request.scope["path"]:
            return super().resolve_request(request)
        request.resolver_match = match
        return match


def shut_executors() -> None:
    """Cancel the queued work of all threads, at the end of the process."""
    from games.play import worker
    from perudo_site import housekeeping

    worker.stop(0.0)  # threads that wait for its results continue
    thread_choice.shut()
    downloads.shut_executor()
    housekeeping.stop()


def start() -> None:
    """Start scheduler and channel layer in the running loop, and the housekeeping; idempotent."""
    from games.play import announce, scheduler
    from games.play.shards import Shards
    from perudo_site import housekeeping, jobs

    layer = get_channel_layer()
    shards = Shards(layer.id, layer.peer_ids)
    scheduler.start(partial(jobs.of_the_scheduler, shards=shards))
    announce.use_loop(asyncio.get_running_loop())
    layer.open()
    housekeeping.start()


def bring_names_up_to_date() -> None:
    """Update, once in the background, names that an older version has stored since `migrate`.

    In a rolling restart older processes may still store names; each process repeats this at start.
    """
    from accounts import name_keys
    from accounts.models import User

    _in_background("names not brought up to date", name_keys.bring_up_to_date, User.objects.all())


def prepare_database() -> None:
    """Log unapplied migrations, and store the key that signs push messages.

    The key is stored if there is none; other keys that are found are logged.
    """
    from games.social.push import site_key
    from perudo_site.server import health

    _in_background("migrations not checked", health.name_unapplied_migrations)
    _in_background("push key not prepared", site_key.prepare)


def _in_background(failure: str, work: Callable[..., object], *args: object) -> None:
    """Run startup work for which no request waits; log `failure` if the database fails."""

    def run() -> None:
        try:
            work(*args)
        except DatabaseError as error:
            logger.warning("%s error=%s", failure, outage_handling.first_line(error))
        finally:
            close_old_connections()

    thread_choice.ACCOUNTS.submit(run)


def starting(app: Application) -> Application:
    """Call `start` with every request, since servers other than ours have no start hook."""

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
    choose = thread_choice.sqlite_threads if is_sqlite else thread_choice.postgresql_threads
    http = requests.limit_requests(thread_choice.on_threads(OneHopHandler(), choose=choose))
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

# A move waits for the GIL some ten times, after each query and between threads, each time for up to
# one switch interval of a busy thread. With Python's default of 5 ms a move takes two to five times
# as long while another thread renders pages (docs/performance.md).
sys.setswitchinterval(0.0005)

# Exclude the objects loaded so far from garbage collection: they are never garbage.
gc.collect()
gc.freeze()
