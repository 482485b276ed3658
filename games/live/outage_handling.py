"""Outages of the database or Redis: recognised, logged in one line, and sockets closed."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError

# Characters kept of a message that a library wrote: some describe whole tasks.
MAX_MESSAGE_LENGTH: Final = 200
CLOSE_INTERNAL_ERROR: Final = 1011
Application = Callable[[Any, Any, Any], Awaitable[None]]

logger = logging.getLogger(__name__)


def is_outage(error: object) -> bool:
    """Whether this error means that the database or Redis is unavailable, and not a bug."""
    return isinstance(error, OperationalError | InterfaceError | RedisError)


def first_line(error: object) -> str:
    """The first line of an error's message; databases add many."""
    return str(error).partition("\n")[0] or type(error).__name__


class OneLineFilter(logging.Filter):
    """Logs an outage as one line instead of a traceback; shortens messages of some libraries."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_outage(error):
            record.msg, record.args = (
                "%s: %s unavailable error=%s",
                (
                    first_line(record.getMessage()),
                    "Redis" if isinstance(error, RedisError) else "database",
                    first_line(error),
                ),
            )
            record.exc_info = record.exc_text = None
        elif record.name.startswith(("psycopg", "daphne")):
            message = first_line(record.getMessage())[:MAX_MESSAGE_LENGTH]
            record.msg, record.args = "%s", (message,)
        return True


def close_socket_on_outage(app: Application) -> Application:
    """Close a socket whose application failed for lack of the database; browsers reconnect."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        except (OperationalError, InterfaceError) as error:
            logger.warning("websocket closed: database unavailable error=%s", first_line(error))
            await send({"type": "websocket.close", "code": CLOSE_INTERNAL_ERROR})

    return application
