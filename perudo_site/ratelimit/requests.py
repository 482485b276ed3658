"""Limits of HTTP requests per client address, before a thread, the session and the database.

A rate, and how many of one address may be in hand at once: the others wait, a limited number of
them. Pages, static files and what may change something are counted apart. A request that is
refused is answered late: a client that asks again at once then costs next to nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.http import parse_cookie
from prometheus_client import Counter

from perudo_site.ratelimit import refusal
from perudo_site.ratelimit.local import address_of, allow, is_exhausted
from perudo_site.ratelimit.places import Places

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
# Links that somebody might try to guess: a post says as well as a page whether there is such a one.
_GUESSABLE: Final = "/t/"
# What a request is counted as, and how many of the same address may wait for each that is in hand.
# Twenty people who open a table at once ask for more than a hundred files at a time, each of which
# is soon sent. Sign-ins take long, so that they would hold up the moves of the same address.
WAITING_FOR_EACH: Final = {"page": 25, "file": 250, "form": 25, "account": 25}
# The share of a minute's requests that may come at once.
_BURST: Final = 1 / 6
WAIT_SECONDS: Final = 10.0
REFUSAL_SECONDS: Final = 1.0

refused: Final = Counter(
    "perudo_requests_refused",
    "Requests refused before they were looked at, by kind and reason (rate, waiting).",
    ("kind", "reason"),
)


def limit_requests(app: Application) -> Application:
    """Wrap `app` in the limits per address. No limit where the address is unknown."""
    places: dict[str, Places] = {kind: Places() for kind in WAITING_FOR_EACH}

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        address, kind = address_of(scope), kind_of(scope)
        if not address:
            return await app(scope, receive, send)
        if not _is_within_rate(scope, address, kind):
            return await _refuse(scope, send, kind, "rate")
        most = settings.GETS_AT_ONCE
        waiting = most * WAITING_FOR_EACH[kind]
        async with places[kind].place(
            address, most=most, waiting=waiting, seconds=WAIT_SECONDS
        ) as place:
            if place is None:
                return await _refuse(scope, send, kind, "waiting")

            async def send_and_leave(message: Message) -> None:
                """A client that only has to read its answer takes no place any more."""
                if message["type"] == "http.response.start":
                    place.leave()
                await send(message)

            await app(scope, receive, send_and_leave)

    return application


def kind_of(scope: Scope) -> str:
    """What a request is counted as, a key of WAITING_FOR_EACH."""
    if scope["method"] not in SAFE_METHODS:
        return "account" if scope["path"].startswith(("/account/", "/admin/")) else "form"
    return "file" if scope["path"].startswith(settings.STATIC_URL) else "page"


def _is_within_rate(scope: Scope, address: str, kind: str) -> bool:
    if kind == "file":
        return allow("file", address, per_minute=settings.FILES_PER_ADDRESS)
    if kind in ("form", "account"):  # counted by `middleware.limit_posts`, which knows the user too
        if is_exhausted("post", address, per_minute=settings.POSTS_PER_ADDRESS):
            return False
        if not scope["path"].startswith(_GUESSABLE):
            return True
    session = _session_of(scope)
    if session and not _allow_get(f"session {session}", settings.GETS_PER_PERSON):
        return False
    return _allow_get(address, settings.GETS_PER_ADDRESS)


def _allow_get(key: str, per_minute: int) -> bool:
    return allow("get", key, per_minute=per_minute, burst=max(1, int(per_minute * _BURST)))


def _session_of(scope: Scope) -> str:
    """A digest of the session's cookie, which may be anything; "" without one."""
    for name, value in scope["headers"]:
        if name == b"cookie" and settings.SESSION_COOKIE_NAME.encode() in value:
            key = parse_cookie(value.decode("latin-1")).get(settings.SESSION_COOKIE_NAME, "")
            return sha256(key.encode("latin-1", "replace")).hexdigest()[:16] if key else ""
    return ""


async def _refuse(scope: Scope, send: Send, kind: str, reason: str) -> None:
    refused.labels(kind, reason).inc()
    await asyncio.sleep(REFUSAL_SECONDS)
    for message in refusal.messages(scope):
        await send(message)
