"""What every answer has in common: counted, in measure, not stored, in the person's language."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from prometheus_client import Histogram

from games import push
from games.words import regional
from perudo_site import errors, limits, logs

Answer = Callable[[HttpRequest], HttpResponse]

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")

requests: Final = Histogram(
    "perudo_request_seconds",
    "Time to answer, by the name of the address and never by the address.",
    ("route", "method", "status"),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
logger = logging.getLogger(__name__)


def watched(answer: Answer) -> Answer:
    """Every request is timed, and with LOG_LEVEL=DEBUG noted.

    Addresses hold the codes of private tables, the names of people and the keys of letters, so
    only the name of a route is told.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = answer(request)
        seconds = perf_counter() - began
        route, status = logs.route_of(request), response.status_code
        method = logs.method_of(request)
        requests.labels(route, method, f"{status // 100}xx").observe(seconds)
        if logger.isEnabledFor(logging.DEBUG):
            told = {"method": method, "route": route, "status": status}
            person = getattr(request, "_cached_user", None)  # where nobody asked, neither do we
            if person is not None and person.pk:
                told["user"] = person.pk
            logger.debug("answered", extra=told | {"ms": round(1000 * seconds, 1)})
        return response

    return middleware


def never_stored(answer: Answer) -> Answer:
    """Pages show what one person may see now, so no cache on the way keeps a copy.

    Static files never come here: WhiteNoise answers them before.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        return response

    return middleware


def in_the_persons_language(answer: Answer) -> Answer:
    """The language a signed-in person saved wins over the cookie and the browser's wish.

    Dates and numbers are those of the region that the browser asks for in that language.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "")
        if language in dict(settings.LANGUAGES):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        with regional.accepting(request.headers.get("Accept-Language", "")):
            return answer(request)

    return middleware


def in_good_measure(answer: Answer) -> Answer:
    """So many posts in a minute from one person and from one address, moves among them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method in SAFE or _may_post(request):
            return answer(request)
        response = _not_so_fast(request)
        response["Retry-After"] = "60"
        return response

    return middleware


def _may_post(request: HttpRequest) -> bool:
    address, person = limits.address_of(request), request.user.pk
    if address and not limits.may("post", address, a_minute=settings.POSTS_PER_ADDRESS):
        return False
    return person is None or limits.may("post", str(person), a_minute=settings.POSTS_PER_PERSON)


def _not_so_fast(request: HttpRequest) -> HttpResponse:
    """A page; at a table, where a script posts, the sentence alone."""
    if request.headers.get("HX-Request") != "true":
        return errors.too_many_requests(request)
    sentence = _("That was too often in a short time. Please wait a minute and try again.")
    context = {"message": sentence, "tone": "error"}
    return render(request, "games/_notice.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)


def ends_with_its_session(answer: Answer) -> Answer:
    """The sockets of a person end with the session they came with, not some seconds later.

    Whatever ends it, signing out, a new password or a deleted account: the request that does so
    begins as one person with one session and leaves as another.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        person, session = request.user.pk, request.session.session_key
        response = answer(request)
        if person is not None and (request.user.pk, request.session.session_key) != (
            person,
            session,
        ):
            push.signed_out(person)
        return response

    return middleware
