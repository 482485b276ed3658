"""Rate limit of requests that may change something: POSTs, and moves over a socket."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from perudo_site.ratelimit.local import allow, client_address


def allow_post(request: HttpRequest) -> bool:
    """Whether the user and the address of this request may post once more; count it if so."""
    address, user = client_address(request), request.user.pk
    if address and not allow("post", address, per_minute=settings.POSTS_PER_ADDRESS):
        return False
    return user is None or allow("post", str(user), per_minute=settings.POSTS_PER_PERSON)
