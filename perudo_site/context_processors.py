"""Context variables of every template."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from games import catalogue, page_identity


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name, the games people can play on it, and for which session a page is made.

    `page_identity` is None for a request that failed before its session was read.
    """
    games = [{"key": game.key, "name": game.words.name()} for game in catalogue.every()]
    knows = hasattr(request, "user") and hasattr(request, "session")
    identity = partial(page_identity.of, request.user, request.session) if knows else None
    return {"SITE_NAME": settings.SITE_NAME, "GAMES": games, "page_identity": identity}
