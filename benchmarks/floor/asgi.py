"""The ASGI entry point of the baseline: as the guides of Django and Channels write it, or tuned."""

from __future__ import annotations

import gc
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.floor.settings")

from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async  # noqa: E402
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402
from django.core.handlers.asgi import ASGIHandler  # noqa: E402
from django.http import HttpRequest  # noqa: E402
from django.http.response import HttpResponseBase  # noqa: E402

http: Any = get_asgi_application()  # sets Django up, so it comes before our own imports

from benchmarks.floor.app import sockets  # noqa: E402


class OneHopHandler(ASGIHandler):
    """The whole request in one visit to its thread."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


async def on_one_thread(scope: Any, receive: Any, send: Any) -> None:
    """One thread with one warm connection, instead of a new one of each for every request."""
    async with ThreadSensitiveContext(executor=SyncToAsync.single_thread_executor):
        await one_hop(scope, receive, send)


if settings.TUNED:
    one_hop = OneHopHandler()
    http = on_one_thread

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(sockets))),
    }
)

if settings.TUNED:
    gc.collect()
    gc.freeze()
