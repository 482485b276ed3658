"""Redirects from the former URLs of pages to the current ones."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect


def sent_on(request: HttpRequest, there: str) -> HttpResponse:
    """Redirect permanently to the URL `there`, keeping the query, the method and the body."""
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(
        f"{there}?{query}" if query else there, preserve_request=True
    )
