"""Context variables of every template."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import urlencode

from games import page_identity
from games.lobby import game_list
from games.social.push import site_key
from perudo_site import in_app_browsers


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the site's name, operator and games, and the browser, URL and session of the request.

    `page_identity` is None for a request that failed before its session was read.
    """
    knows = hasattr(request, "user") and hasattr(request, "session")
    identity = partial(page_identity.of, request.user, request.session) if knows else None
    user_agent = request.headers.get("User-Agent", "")
    return {
        "in_app_browser": in_app_browsers.app(user_agent),
        # A query that leads back here after a form on another page; empty for responses to POSTs,
        # which have no page to return to.
        "and_back": f"?{urlencode({'next': request.get_full_path()})}"
        if request.method in ("GET", "HEAD")
        else "",
        "SITE_NAME": settings.SITE_NAME,
        "IMPRINT": settings.IMPRINT,
        "CONTACT_EMAIL": settings.CONTACT_EMAIL,
        "GAMES": game_list.names(),
        "page_identity": identity,
        "PUSH_KEY": site_key.public_key(),
        "person_tag": partial(page_identity.person, request.user) if knows else "",
    }
