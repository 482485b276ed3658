"""Middleware: metrics, cache headers, the user's language, rate limit of POSTs, closing sockets."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotFound
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from prometheus_client import Histogram

from games import page_identity, regional_formats
from games.play import announce
from games.social.push import subscriptions
from perudo_site import errors
from perudo_site.ratelimit.posts import allow_post
from perudo_site.ratelimit.requests import SAFE_METHODS
from perudo_site.server import logs
from perudo_site.server.work import READING, resolved

GetResponse = Callable[[HttpRequest], HttpResponse]


requests: Final = Histogram(
    "perudo_request_seconds",
    "Response time by route name, never by URL.",
    ("route", "method", "status"),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
logger = logging.getLogger(__name__)


def measure(get_response: GetResponse) -> GetResponse:
    """Time every request, and log it at LOG_LEVEL=DEBUG.

    URLs hold the codes of private tables, names of users and keys from emails, so only the name
    of the route is logged.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        started = perf_counter()
        response = get_response(request)
        seconds = perf_counter() - started
        route, status = logs.route_name(request), response.status_code
        method = logs.method_name(request)
        requests.labels(route, method, f"{status // 100}xx").observe(seconds)
        if logger.isEnabledFor(logging.DEBUG):
            fields = {"method": method, "route": route, "status": status}
            user = getattr(request, "_cached_user", None)  # never query the user just for the log
            if user is not None and user.pk:
                fields["user"] = user.pk
            logger.debug("answered", extra=fields | {"ms": round(1000 * seconds, 1)})
        return response

    return middleware


def no_store(get_response: GetResponse) -> GetResponse:
    """Set `Cache-Control: no-store`: a page shows what one user may see at this moment.

    Static files do not get here: WhiteNoise serves them earlier.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        return response

    return middleware


def no_such_file(get_response: GetResponse) -> GetResponse:
    """Respond 404 to a request for an unknown static file, without a session or page.

    The rate limits of files are far higher than those of pages (`ratelimit.requests`).
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(settings.STATIC_URL):
            return HttpResponseNotFound("Not Found\n", content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def same_for_all(get_response: GetResponse) -> GetResponse:
    """Run GETs of views marked `same_for_all` before session, user and language are known.

    Shared caches may keep the response: it contains no cookie and depends on none.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        match = getattr(request, "scope", {}).get("resolved") or resolved(request.path_info)
        if match is None or request.method not in READING:
            return get_response(request)
        if not getattr(match.func, "same_for_all", False):
            return get_response(request)
        request.resolver_match = match
        try:
            answer: HttpResponse = match.func(request, *match.args, **match.kwargs)
        except Http404:  # the site's own 404 page depends on the user
            return HttpResponseNotFound("Not Found\n", content_type="text/plain; charset=utf-8")
        return answer

    return middleware


def user_language(get_response: GetResponse) -> GetResponse:
    """Activate the language a user saved; it takes precedence over cookie and Accept-Language.

    Dates and numbers follow the region that the browser asks for in that language.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "")
        if language in dict(settings.LANGUAGES):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        with regional_formats.accepting(request.headers.get("Accept-Language", "")):
            return get_response(request)

    return middleware


def limit_posts(get_response: GetResponse) -> GetResponse:
    """Rate limit POSTs, moves included, per user and per client address."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method in SAFE_METHODS or allow_post(request):
            return get_response(request)
        response = _too_many_posts(request)
        response["Retry-After"] = "60"
        return response

    return middleware


def _too_many_posts(request: HttpRequest) -> HttpResponse:
    """Return a page with status 429, or only a notice for htmx."""
    if request.headers.get("HX-Request") != "true":
        return errors.too_many_requests(request)
    sentence = _("Too many requests. Please wait a minute and try again.")
    context = {"message": sentence, "tone": "error"}
    return render(request, "games/_notice.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)


def close_sockets_with_session(get_response: GetResponse) -> GetResponse:
    """Close a user's sockets at once when their session ends, and end its push subscription.

    If the same user continues with a new session, the subscription moves to it. In every case
    (sign-out, a new password, a deleted account), the request that ends a session starts with one
    user and session and finishes with another.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        before = request.user.pk, request.session.session_key
        response = get_response(request)
        if before[0] is not None and before != (request.user.pk, request.session.session_key):
            announce.sessions_ended(before[0])
            device = page_identity.tag(before[1], before[0])
            if request.user.is_authenticated and request.user.pk == before[0]:
                after = page_identity.of(request.user, request.session)
                subscriptions.session_changed(request.user, device, after)
            else:
                subscriptions.session_ended(before[0], device)
        return response

    return middleware
