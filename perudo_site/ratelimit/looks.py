"""Rate limit of looks, over a socket or, if no WebSocket gets through, by request.

A look costs as much as opening a socket, so it uses the same settings and counters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from perudo_site.ratelimit.local import allow_opening, client_address

View = Callable[..., HttpResponse]


def limited(view: View) -> View:
    """Wrap a view: respond with 429 and no body to a person or an address over the limit."""

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if _is_allowed(request):
            return view(request, *args, **kwargs)
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "30"})

    return answer


def _is_allowed(request: HttpRequest) -> bool:
    return allow_look(client_address(request), request.user.pk)


def allow_look(address: str, person: int | None) -> bool:
    """Whether this person (None: a visitor) may look from this address; count it if so."""
    if person is not None and not allow_opening("PERSON", str(person)):
        return False
    return not address or allow_opening("ADDRESS", address)
