"""What people read when something went wrong: a sentence, never a trace."""

from __future__ import annotations

import logging
import sys
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from perudo_site import away

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """`reason` is for the log; Django wrote it there already."""
    return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=HTTPStatus.NOT_FOUND)


def too_many_requests(
    request: HttpRequest, exception: Exception | None = None, *, message: str = ""
) -> HttpResponse:
    """`message` says what was too often and when to try again; without one, a general sentence."""
    context = {"message": message}
    return render(request, "429.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)


def server_error(request: HttpRequest) -> HttpResponse:
    """What broke may be the page's own frame or the database behind it, so expect neither."""
    if away.is_away(sys.exception()):
        return closed_for_a_moment(request)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    try:
        page = render_to_string("500.html", {"SITE_NAME": settings.SITE_NAME})
        return HttpResponse(page, status=status)
    except Exception:  # a second failure must still answer in a sentence
        logger.exception("The page for failures failed too")
        sentence = _("Something broke. The mistake is ours and has been noted.")
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


def closed_for_a_moment(request: HttpRequest) -> HttpResponse:
    """The database is away. What was asked for may have been done in its last moment.

    htmx shows this answer too: base.html tells it so.
    """
    sentence = _("The house is catching its breath. If nothing has changed in a moment, try again.")
    by_htmx = request.headers.get("HX-Request") == "true"
    page = render_to_string(
        "games/_notice.html" if by_htmx else "503.html",
        {"SITE_NAME": settings.SITE_NAME, "message": sentence, "tone": "error"},
    )
    headers = {"Retry-After": "2"}
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)
