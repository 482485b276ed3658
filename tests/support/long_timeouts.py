"""The site's settings without the timeouts of pings, of stalled connections and of locked files.

Only for tests of another limit, which a slow machine may reach later than those.
"""

from __future__ import annotations

from django.apps import AppConfig

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import DATABASES, INSTALLED_APPS

DATABASES["default"]["OPTIONS"]["timeout"] = 600
INSTALLED_APPS = [*INSTALLED_APPS, "tests.support.long_timeouts.LongTimeouts"]


class LongTimeouts(AppConfig):
    name = "tests.support"
    label = "long_timeouts"

    def ready(self) -> None:
        """Nobody is dropped for being slow within a test."""
        from perudo_site.server import backpressure, ws_protocol

        backpressure.STALL_TIMEOUT_SECONDS = 600.0
        ws_protocol.PING_INTERVAL_SECONDS, ws_protocol.PONG_TIMEOUT_SECONDS = 600, 600
