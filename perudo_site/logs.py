"""The form of the logs, for people and for machines, and the id that holds a request together."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Final

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


class TextFormatter(logging.Formatter):
    """One line for people: what happened, then what it was about as `name=value`."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        told = (f" {name}={record.__dict__[name]}" for name in TOLD if name in record.__dict__)
        return super().formatMessage(record) + "".join(told)
