"""A database or a Redis that is away: known as such, and noted in one line instead of a trace."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError

# Characters of a line that a library wrote: some describe whole tasks.
LONGEST: Final = 200
Application = Callable[[Any, Any, Any], Awaitable[None]]

logger = logging.getLogger(__name__)


def is_away(trouble: object) -> bool:
    """Whether this is the failure of a service behind us, and no mistake of ours."""
    return isinstance(trouble, OperationalError | InterfaceError | RedisError)


def plainly(trouble: object) -> str:
    """Its first line; a database adds pages to it."""
    return str(trouble).partition("\n")[0] or type(trouble).__name__


class Plainly(logging.Filter):
    """Makes one line of what is said about a service that is away."""

    def filter(self, record: logging.LogRecord) -> bool:
        trouble = record.exc_info[1] if record.exc_info else None
        if is_away(trouble):
            record.msg, record.args = (
                "%s (%s is away: %s)",
                (
                    plainly(record.getMessage()),
                    "Redis" if isinstance(trouble, RedisError) else "the database",
                    plainly(trouble),
                ),
            )
            record.exc_info = record.exc_text = None
        elif record.name.startswith(("psycopg", "daphne")):
            record.msg, record.args = "%s", (plainly(record.getMessage())[:LONGEST],)
        return True


def hanging_up(app: Application) -> Application:
    """Sockets of an application that needs what is away: closed, so that browsers come back."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        except (OperationalError, InterfaceError) as trouble:
            logger.warning("a socket ends, the database is away: %s", plainly(trouble))
            await send({"type": "websocket.close", "code": 1011})

    return application
