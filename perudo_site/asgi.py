"""The door of the running site: HTTP to Django, WebSockets to the games, the clock wound once."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django
from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from perudo_site import alone
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


def on_two_threads(app: Application) -> Application:
    """With SQLite, games share the thread of the sockets and of the clock; accounts have another.

    So there is one connection for each, warm for as long as the process lives, and a move never
    waits for a lock of its own process. Hashing a password takes a tenth of a second and 100 MB:
    on a thread of its own it holds up no move, and a crowd signing in queues instead of taking
    all the processors and all the memory.
    """
    games = SyncToAsync.single_thread_executor
    accounts = ThreadPoolExecutor(max_workers=1, thread_name_prefix="accounts")

    async def application(scope: Any, receive: Any, send: Any) -> None:
        hashes = scope["path"].startswith(("/account/", "/admin/"))
        async with ThreadSensitiveContext(executor=accounts if hashes else games):
            await app(scope, receive, send)

    return application


def with_the_clock_wound(app: Application) -> Application:
    """The clock needs a running loop, and the first scope is the first to have one."""
    from games import clock

    async def application(scope: Any, receive: Any, send: Any) -> None:
        clock.wind()
        await app(scope, receive, send)

    return application


def open_the_door() -> Application:
    django.setup(set_prefix=False)
    if not settings.REDIS_URL:
        alone.insist(settings.DATA_DIR)

    import perudo_site.urls  # noqa: F401  the views too are there before the first visitor
    from games.routing import websocket_urlpatterns

    http: Application = OneHopHandler()
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        http = on_two_threads(http)
    sockets = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
    return with_the_clock_wound(ProtocolTypeRouter({"http": http, "websocket": sockets}))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
try:
    application = open_the_door()
except WrongSetting as wrong:
    sys.exit(str(wrong))

# What is loaded by now stays for good: the collector need not look at it again and again.
gc.collect()
gc.freeze()
