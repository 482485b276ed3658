"""The site's settings with little patience, and with a page that takes as long as one likes.

Only for tests of what happens when somebody, or a thread, takes too long.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.apps import AppConfig
from django.http import HttpRequest, HttpResponse

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = [*INSTALLED_APPS, "tests.site.impatient.Impatient"]
MIDDLEWARE = [*MIDDLEWARE, "tests.site.impatient.sleeping"]


def sleeping(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        _sleep_in_a_view(float(request.GET.get("sleep", "0")))
        return answer(request)

    return middleware


def _sleep_in_a_view(seconds: float) -> None:
    if seconds:
        logging.getLogger(__name__).warning("asleep")
        time.sleep(seconds)


class Impatient(AppConfig):
    name = "tests.site"
    label = "impatient"

    def ready(self) -> None:
        """Pings and answers that must be taken at once: no test waits for a minute."""
        from perudo_site import backpressure, websocket

        backpressure.STALLED_SECONDS = 1.0
        websocket.PING_SECONDS, websocket.PONG_SECONDS = 1, 2
