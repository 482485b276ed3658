"""Context variables of every template."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import urlencode

from games import catalogue, page_identity
from perudo_site import in_app_browsers


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name and who runs it, the games people can play on it; in what browser, at which
    address and for which session a page is made.

    `page_identity` is None for a request that failed before its session was read.
    """
    games = [{"key": kind.key, "name": kind.words.name()} for kind in catalogue.every()]
    knows = hasattr(request, "user") and hasattr(request, "session")
    identity = partial(page_identity.of, request.user, request.session) if knows else None
    user_agent = request.headers.get("User-Agent", "")
    return {
        "in_app_browser": in_app_browsers.app(user_agent),
        # What leads back here after a form elsewhere; the answer to a form is no page to go to.
        "and_back": f"?{urlencode({'next': request.get_full_path()})}"
        if request.method in ("GET", "HEAD")
        else "",
        "SITE_NAME": settings.SITE_NAME,
        "IMPRINT": settings.IMPRINT,
        "CONTACT_EMAIL": settings.CONTACT_EMAIL,
        "GAMES": games,
        "page_identity": identity,
        "PUSH_KEY": settings.PUSH.public_key if settings.PUSH_SERVICES else "",
        "person_tag": partial(page_identity.person, request.user) if knows else "",
    }
