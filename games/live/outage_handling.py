"""Outages of the database or Redis: detection, one-line logging and closing of sockets."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError

from games.live.fanout import Handler, Message

# The most characters kept of a library's log message; some print whole tasks.
MAX_MESSAGE_LENGTH: Final = 200
CLOSE_INTERNAL_ERROR: Final = 1011
Application = Callable[[Any, Any, Any], Awaitable[None]]

logger = logging.getLogger(__name__)


def is_outage(error: object) -> bool:
    """Whether this error means an unavailable database or Redis, rather than a bug."""
    return isinstance(error, OperationalError | InterfaceError | RedisError)


def first_line(error: object) -> str:
    """Return the first line of an error's message; databases write several."""
    return str(error).partition("\n")[0] or type(error).__name__


class OneLineFilter(logging.Filter):
    """Log an outage as one line instead of a traceback, and shorten messages of some libraries."""

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
    """Wrap an ASGI application to close the socket on a database outage; browsers reconnect."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        except (OperationalError, InterfaceError) as error:
            logger.warning("websocket closed: database unavailable error=%s", first_line(error))
            await send({"type": "websocket.close", "code": CLOSE_INTERNAL_ERROR})

    return application


def closing_on_error(handler: Handler) -> Handler:
    """Wrap a handler to close its sockets on an error; browsers reconnect and get the new state."""

    async def handle(sockets: Collection[Any], message: Message) -> None:
        try:
            await handler(sockets, message)
        except Exception:
            for socket in sockets:
                await socket.close(CLOSE_INTERNAL_ERROR)
            raise

    return handle
