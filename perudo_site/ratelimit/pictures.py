"""Rate limit of the pictures of link previews: anybody can make the site draw."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from perudo_site.ratelimit.local import allow, client_address


def may_draw(request: HttpRequest) -> bool:
    """Count one more drawing: of this address, and of this process for all addresses together."""
    address = client_address(request)
    if not allow("preview", address, per_minute=settings.PREVIEWS_PER_ADDRESS):
        return False
    return allow("preview", "", per_minute=settings.PREVIEWS)
