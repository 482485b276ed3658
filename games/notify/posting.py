"""HTTP requests to push services; nothing here uses the database."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from ssl import create_default_context
from typing import Any, Final

import aiohttp

from games.notify.names import Names
from games.social.push import addresses

# The timeout of a whole request, from the DNS look-up to the last byte of the headers.
SECONDS: Final = 8.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of a push service; status 0 if there was none in time."""

    status: int
    retry_after: str = ""


async def opened() -> aiohttp.ClientSession:
    """Open a session for `post`; the caller must close it."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            ssl=create_default_context(), limit=0, resolver=Names(addresses.pattern_at)
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),  # `post` has a timeout of its own
    )


async def post(session: aiohttp.ClientSession, request: dict[str, Any]) -> Answer:
    """Post once, without retry. Failures of the service, DNS or network give the status 0."""
    try:
        async with (
            asyncio.timeout(SECONDS),
            session.post(**request, allow_redirects=False) as answer,
        ):
            return Answer(answer.status, answer.headers.get("Retry-After", ""))
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return Answer(0)


async def answered(
    under_way: Collection[asyncio.Task[Answer]], *, within: float
) -> set[asyncio.Task[Answer]]:
    """Wait until a task has ended, or for `within` seconds; returns the tasks that have ended."""
    when = asyncio.FIRST_COMPLETED
    done, _pending = await asyncio.wait(under_way, timeout=within, return_when=when)
    return done
