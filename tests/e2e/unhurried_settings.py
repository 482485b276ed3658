"""The site's settings for browser tests: no game shortens turns, passwords are hashed at once.

A game may propose shorter turns than the site (Peco Peco 30 s). On a busy machine a browser takes
longer now and then: after two missed turns a bot plays for the person, and the game ends without
them while the test still looks.
"""

from __future__ import annotations

from django.apps import AppConfig

from tests.support.quick_sign_up_settings import *  # noqa: F403
from tests.support.quick_sign_up_settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.e2e.unhurried_settings.Unhurried"]


class Unhurried(AppConfig):
    name = "tests.e2e"
    label = "unhurried"

    def ready(self) -> None:
        from games.contract import catalogue

        for kind in catalogue.every():
            kind.pace.turn_seconds = lambda seats: None
