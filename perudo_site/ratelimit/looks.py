"""Rate limit of pages that look by request because no WebSocket reaches them.

A look costs what opening a socket does, so it counts as one: by the same settings and counters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from perudo_site.ratelimit.local import allow, client_address

View = Callable[..., HttpResponse]


def limited(view: View) -> View:
    """The view, answering 429 without a word to a person or an address that asks too often."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if _is_allowed(request):
            return view(request, *args, **kwargs)
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "30"})

    return answer


def _is_allowed(request: HttpRequest) -> bool:
    address, person = client_address(request), request.user.pk
    if address and not allow("open.ADDRESS", address, per_minute=settings.OPENINGS_PER_ADDRESS):
        return False
    return person is None or allow(
        "open.PERSON", str(person), per_minute=settings.OPENINGS_PER_PERSON
    )
