"""The site's settings, for tests: a client that stops reading is cut off after a second."""

from __future__ import annotations

from django.apps import AppConfig

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.site.impatient.Impatient"]


class Impatient(AppConfig):
    name = "tests.site"
    label = "impatient"

    def ready(self) -> None:
        from perudo_site import backpressure

        backpressure.STALLED_SECONDS = 1.0
