"""Compression of pages, with Django's own middleware, which adds random bytes to each page.

The length of compressed data reveals repetition. Suppose an attacker sees the length of a player's
responses, and guesses the player's hand in the chat: a right guess would make the responses some
bytes shorter. The random bytes hide this in one page or twenty. An attacker would need some
hundreds (tests/security/test_compression.py counts them), and a player opens fewer in a round.
Requests that a page repeats every few seconds, if no socket gets through, are not compressed for
this reason. For frames see `server.deflate`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from perudo_site.server.work import Work, of_view


class PageCompression(GZipMiddleware):
    """Compress text that a user requests, but no pictures, downloads or looks."""

    max_random_bytes = 400

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not _is_text(response):
            return response
        match = request.resolver_match
        if match is not None and of_view(match.func) == Work.LOOK:
            return response
        return super().process_response(request, response)


def _is_text(response: HttpResponse) -> bool:
    kind = response.get("Content-Type", "")
    return kind.startswith("text/") or "json" in kind.partition(";")[0]
