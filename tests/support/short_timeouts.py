"""The site's settings with short timeouts, and pages that sleep on request (`?sleep=seconds`).

Only for tests of what happens when a client or a thread takes too long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.apps import AppConfig
from django.http import HttpRequest, HttpResponse

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = [*INSTALLED_APPS, "tests.support.short_timeouts.ShortTimeouts"]
MIDDLEWARE = [*MIDDLEWARE, "tests.support.short_timeouts.sleeping"]


def sleeping(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        _sleep_in_a_view(float(request.GET.get("sleep", "0")))
        return answer(request)

    return middleware


def _sleep_in_a_view(seconds: float) -> None:
    if seconds:
        logging.getLogger(__name__).warning("asleep")
        time.sleep(seconds)


class ShortTimeouts(AppConfig):
    name = "tests.support"
    label = "short_timeouts"

    def ready(self) -> None:
        """Shorten ping and stall timeouts, so that no test waits for a minute."""
        from perudo_site.server import backpressure, ws_protocol

        backpressure.STALL_TIMEOUT_SECONDS = 1.0
        ws_protocol.PING_INTERVAL_SECONDS, ws_protocol.PONG_TIMEOUT_SECONDS = 2, 2
