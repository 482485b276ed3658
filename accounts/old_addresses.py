"""Addresses that pages had once: they lead to those of today."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect


def sent_on(request: HttpRequest, there: str) -> HttpResponse:
    """Send a request on to the address `there`, with its query and what was posted."""
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(
        f"{there}?{query}" if query else there, preserve_request=True
    )
