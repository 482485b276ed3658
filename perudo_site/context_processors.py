"""Context variables of every template."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from games import catalogue


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name, and the games people can play on it."""
    games = [{"key": game.key, "name": game.words.name()} for game in catalogue.every()]
    return {"SITE_NAME": settings.SITE_NAME, "GAMES": games}
