"""The form of the logs, for people and for machines, and the id that holds a request together."""

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

Application = Callable[[Any, Any, Any], Awaitable[None]]

HEADER: Final = b"x-request-id"
_ID: Final = re.compile(rb"[A-Za-z0-9-]{8,64}")
# What a line may say beside its message, in this order. JSON has them as fields.
TOLD: Final = (
    *("game", "seat", "deed", "do", "seq", "reason"),
    *("method", "route", "status", "user", "ms", "request_id"),
)

_request_id: ContextVar[str] = ContextVar("request_id")


def with_an_id(app: Application, *, trusting: bool) -> Application:
    """Every request and every socket has an id, and all it logs on any thread carries it.

    A proxy of ours may have given one already (`trusting`); from a stranger none is taken, or he
    could make his lines look like somebody else's.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope["headers"]).get(HEADER, b"") if trusting else b""
        _request_id.set(given.decode() if _ID.fullmatch(given) else secrets.token_hex(16))
        await app(scope, receive, send)

    return application


class RequestId(logging.Filter):
    """Puts the id on every line that is written on behalf of a request or a socket."""

    def filter(self, record: logging.LogRecord) -> bool:
        request_id = _request_id.get("")
        if request_id:
            record.request_id = request_id
        return True


def route_of(request: HttpRequest) -> str:
    """The name of the address asked for, never the address; "nowhere" for an unknown one."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "nowhere"


def method_of(request: HttpRequest) -> str:
    """GET, HEAD or POST; "other" for what a stranger may have made up."""
    return request.method if request.method in ("GET", "HEAD", "POST") else "other"


class NoAddresses(logging.Filter):
    """Replaces what Django writes about a refused or failed request by one line without addresses.

    Addresses hold people's names, codes of private tables and keys of password resets; Django
    quotes them, and the Host, Origin or Referer that a stranger sent. What stays is the kind of
    failure, the method, the route and the status; for a failure of ours (5xx) the traceback too.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = record.__dict__.pop("request", None)  # the JSON form would write it out
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
            record.method, record.route = method_of(request), route_of(request)
            if security:
                request._is_in_the_log = True  # type: ignore[attr-defined]  # of our own
            # Django notes a suspicious request twice: by its kind, then by the status of the answer
            elif getattr(request, "_is_in_the_log", False):
                return False
        return True


class TextFormatter(logging.Formatter):
    """One line for people: what happened, then what it was about as `name=value`.

    A traceback stands in the same line, so that every line of the log has its time and request id.
    """

    def format(self, record: logging.LogRecord) -> str:
        return " | ".join(line.strip() for line in super().format(record).splitlines())

    def formatMessage(self, record: logging.LogRecord) -> str:
        told = (f" {name}={record.__dict__[name]}" for name in TOLD if name in record.__dict__)
        return super().formatMessage(record) + "".join(told)
