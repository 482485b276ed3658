"""Compresses pages, with Django's own middleware, which adds random bytes to each.

What is compressed together can be guessed from the length: somebody who sees how long a person's
answers are, and writes into the chat what that person may hold, would see the answers get shorter
by some bytes. The random bytes hide that in one page or twenty (tests/security/test_compression.py
counts how many would tell, some hundreds), and a person opens no more in a round. What a page asks
for by itself, every few seconds where no socket gets through, is therefore not compressed; for
frames see `server.deflate`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from perudo_site.server.work import Work, of_view


class PageCompression(GZipMiddleware):
    """Text that a person asks for; no pictures, downloads (`server.downloads`) or looks."""

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
