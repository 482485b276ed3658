"""The site's settings with a queue for handshakes that moves on four times a second, for tests."""

from __future__ import annotations

from django.apps import AppConfig

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.support.slow_admission_settings.SlowAdmission"]


class SlowAdmission(AppConfig):
    name = "tests.support"
    label = "slow_admission"

    def ready(self) -> None:
        from games.live.fair_queue import LOOKS

        LOOKS.share = 0.001
