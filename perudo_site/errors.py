"""Error pages, which show a sentence and never a traceback."""

from __future__ import annotations

import logging
import sys
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.live import outage_handling

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Respond 403. `reason` is unused: Django has logged it already."""
    return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=HTTPStatus.NOT_FOUND)


def too_many_requests(
    request: HttpRequest, exception: Exception | None = None, *, message: str = ""
) -> HttpResponse:
    """Respond 429. `message` says what was limited and when to retry; default: a general text."""
    context = {"message": message}
    return render(request, "429.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond 500, or 503 in an outage.

    It uses neither the base template nor the database, since either may have failed.
    """
    if outage_handling.is_outage(sys.exception()):
        return service_unavailable(request)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    try:
        page = render_to_string("500.html", {"SITE_NAME": settings.SITE_NAME})
        return HttpResponse(page, status=status)
    except Exception:  # a second failure must still get a sentence as its response
        logger.exception("rendering the error page failed")
        sentence = _("Something went wrong on our side. We've logged it.")
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


def service_unavailable(request: HttpRequest) -> HttpResponse:
    """Respond 503: the database is unavailable. The request may have been carried out before that.

    htmx swaps this response in too: base.html configures it so.
    """
    sentence = _("The site is busy. Please try again in a moment.")
    is_htmx = request.headers.get("HX-Request") == "true"
    page = render_to_string(
        "games/_notice.html" if is_htmx else "503.html",
        {"SITE_NAME": settings.SITE_NAME, "message": sentence, "tone": "error"},
    )
    headers = {"Retry-After": "2"}
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)
