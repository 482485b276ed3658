"""Rate limit for drawing the pictures of link previews, which anyone can request."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from perudo_site.ratelimit.local import allow, client_address


def may_draw(request: HttpRequest) -> bool:
    """Whether to draw one more picture, for this address and for all addresses; count it if so."""
    address = client_address(request)
    if not allow("preview", address, per_minute=settings.PREVIEWS_PER_ADDRESS):
        return False
    return allow("preview", "", per_minute=settings.PREVIEWS)
