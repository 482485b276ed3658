"""Limits of HTTP requests per client address, applied before threads, sessions and database.

There is a rate limit, and a limit of requests in progress, for which a limited number of others may
wait. Pages, static files and requests that may change something are counted separately. For the
last, some views are marked with a `Change` where a URL configuration lists them. Refusals are
delayed, so that a client that retries at once costs almost nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.http import parse_cookie
from prometheus_client import Counter

from perudo_site.marks import Marks
from perudo_site.ratelimit import refusal, refusals
from perudo_site.ratelimit.local import address_of, allow, is_exhausted
from perudo_site.ratelimit.places import Places

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
# By kind of request: how many of one address may wait for each one in progress. Twenty people who
# open a table at once request more than a hundred files at a time, each of which is sent quickly.
# "account" is separate, since slow sign-ins would delay the moves of the same address.
WAITING_FOR_EACH: Final = {"page": 25, "file": 250, "form": 25, "account": 25}
# The share of a minute's requests that may arrive at once.
_BURST: Final = 1 / 6
WAIT_SECONDS: Final = 10.0
REFUSAL_SECONDS: Final = 1.0


class Change(Enum):
    """Kinds of requests that may change something and have other limits than a form."""

    ACCOUNT = auto()  # waits for others of its kind only
    GUESSABLE_LINK = auto()  # counts as a page too, since it also shows whether the link exists


changes: Final[Marks[Change]] = Marks()
refused: Final = Counter(
    "perudo_requests_refused",
    "Requests refused before they were looked at, by kind and reason (rate, waiting).",
    ("kind", "reason"),
)


def limit_requests(app: Application) -> Application:
    """Wrap `app` in the limits per address; an unknown address has no limit."""
    places: dict[str, Places] = {kind: Places() for kind in WAITING_FOR_EACH}

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if not address:
            return await app(scope, receive, send)
        change = None
        if scope["method"] not in SAFE_METHODS:
            match, change = changes.of_path(scope["path"])
            scope = {**scope, "resolved": match}
        kind = _kind_of(scope, change)
        if not _is_within_rate(scope, address, kind, change):
            return await _refuse(scope, send, kind, "rate")
        most = settings.GETS_AT_ONCE
        waiting = most * WAITING_FOR_EACH[kind]
        async with places[kind].place(
            address, most=most, waiting=waiting, seconds=WAIT_SECONDS
        ) as place:
            if place is None:
                return await _refuse(scope, send, kind, "waiting")

            async def send_and_leave(message: Message) -> None:
                """Leave the place when the response begins: from then on the client only reads."""
                if message["type"] == "http.response.start":
                    place.leave()
                await send(message)

            await app(scope, receive, send_and_leave)

    return application


def _kind_of(scope: Scope, change: Change | None) -> str:
    """Return the kind that a request is counted as, a key of WAITING_FOR_EACH."""
    if scope["method"] not in SAFE_METHODS:
        return "account" if change == Change.ACCOUNT else "form"
    return "file" if scope["path"].startswith(settings.STATIC_URL) else "page"


def _is_within_rate(scope: Scope, address: str, kind: str, change: Change | None) -> bool:
    if kind == "file":
        return allow("file", address, per_minute=settings.FILES_PER_ADDRESS)
    if kind in ("form", "account"):  # counted by `middleware.limit_posts`, which knows the user too
        if is_exhausted("post", address, per_minute=settings.POSTS_PER_ADDRESS):
            return False
        if change != Change.GUESSABLE_LINK:
            return True
    session = _session_of(scope)
    if session and not _allow_get(f"session {session}", settings.GETS_PER_PERSON):
        return False
    return _allow_get(address, settings.GETS_PER_ADDRESS)


def _allow_get(key: str, per_minute: int) -> bool:
    return allow("get", key, per_minute=per_minute, burst=max(1, int(per_minute * _BURST)))


def _session_of(scope: Scope) -> str:
    """Return a digest of the session cookie, which may hold anything; "" if there is none."""
    for name, value in scope["headers"]:
        if name == b"cookie" and settings.SESSION_COOKIE_NAME.encode() in value:
            key = parse_cookie(value.decode("latin-1")).get(settings.SESSION_COOKIE_NAME, "")
            return sha256(key.encode("latin-1", "replace")).hexdigest()[:16] if key else ""
    return ""


async def _refuse(scope: Scope, send: Send, kind: str, reason: str) -> None:
    refused.labels(kind, reason).inc()
    refusals.note(f"{kind}s_{reason}")
    await asyncio.sleep(REFUSAL_SECONDS)
    for message in refusal.messages(scope):
        await send(message)
