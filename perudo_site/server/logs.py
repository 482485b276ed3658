"""Log formats (text and JSON), request ids, and the removal of URLs from log lines."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve

Application = Callable[[Any, Any, Any], Awaitable[None]]

HEADER: Final = b"x-request-id"
_VALID_ID: Final = re.compile(rb"[A-Za-z0-9-]{8,64}")
# The fields that a line may have besides its message, in this order. JSON has them as keys.
EXTRA_FIELDS: Final = (
    *("game", "seat", "action", "do", "seq", "reason"),
    *("method", "route", "status", "user", "ms", "request_id"),
)

_request_id: ContextVar[str] = ContextVar("request_id")


def with_request_id(app: Application, *, trust_header: bool) -> Application:
    """Give every request and socket an id, which is in all its log lines, on any thread.

    `trust_header`: take the id from `X-Request-ID`, which our own proxy sets. Without a proxy, a
    client could use it to make its lines look like those of somebody else.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope["headers"]).get(HEADER, b"") if trust_header else b""
        _request_id.set(given.decode() if _VALID_ID.fullmatch(given) else secrets.token_hex(16))
        await app(scope, receive, send)

    return application


class RequestIdFilter(logging.Filter):
    """Adds the request id to every line written on behalf of a request or a socket."""

    def filter(self, record: logging.LogRecord) -> bool:
        request_id = _request_id.get("")
        if request_id:
            record.request_id = request_id
        return True


def route_name(request: HttpRequest) -> str:
    """The name of the URL pattern, never the URL itself; "unmatched" when none matches."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name
    return _route_without_view(request.path_info)


def route_of(path: str) -> str:
    """Like `route_name`, for the path of a request that has not reached its view."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return _route_without_view(path)


def _route_without_view(path: str) -> str:
    return "static" if path.startswith(settings.STATIC_URL) else "unmatched"


def method_name(request: HttpRequest) -> str:
    return known_method(request.method)


def known_method(method: str | None) -> str:
    """GET, HEAD or POST; "other" for the rest, which a client may have made up."""
    return method if method in ("GET", "HEAD", "POST") else "other"


class RedactUrlsFilter(logging.Filter):
    """Replaces Django's message about a refused or failed request by one line without URLs.

    URLs hold names of users, codes of private tables and password reset keys; Django quotes them,
    and the Host, Origin or Referer headers the client sent. What stays is the kind of failure, the
    method, the route and the status; for server errors (5xx) the traceback too.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = record.__dict__.pop("request", None)  # the JSON format would write it out
        if not record.name.startswith(("django.request", "django.security")):
            return True
        status = record.__dict__.pop("status_code", None)
        _, _, security = record.name.partition("django.security.")
        if security == "csrf":
            reason = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
            message = f"CSRF check failed: {reason.partition(' - ')[0].rstrip('.')}"
        elif security:
            message = f"suspicious request: {security}"
        else:
            message = HTTPStatus(status).phrase if status else "request failed"
        record.msg, record.args = "%s", (message,)
        if status is None or status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = record.exc_text = None
        if status is not None:
            record.status = status
        if isinstance(request, HttpRequest):
            record.method, record.route = method_name(request), route_name(request)
            if security:
                request._is_logged = True  # type: ignore[attr-defined]  # our own attribute
            # Django logs a suspicious request twice: by its kind, then by the response status
            elif getattr(request, "_is_logged", False):
                return False
        return True


class TextFormatter(logging.Formatter):
    """One line for people: the event, then its fields as `name=value`.

    A traceback goes into the same line, so that every line has its time and request id.
    """

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(line.strip() for line in super().format(record).splitlines())

    def formatMessage(self, record: logging.LogRecord) -> str:
        fields = record.__dict__
        extra = (f" {name}={fields[name]}" for name in EXTRA_FIELDS if name in fields)
        return super().formatMessage(record) + "".join(extra)
