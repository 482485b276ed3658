"""Origin check and rate limits of WebSocket connections, per user and per client address.

If a client has too many open sockets, a new one is accepted and closed with a code after which the
browser does not reconnect. If a client opens sockets too fast, the handshake is rejected, and the
browser retries less and less often.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from io import BytesIO
from itertools import count
from typing import Any, Final

from channels.auth import AuthMiddleware
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from games.live.fair_queue import LOOKS
from perudo_site.ratelimit import refusals
from perudo_site.ratelimit.local import address_of, allow, allow_opening
from perudo_site.ratelimit.looks import allow_look
from perudo_site.ratelimit.posts import allow_post

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Limit of one socket: moves, which also count as posts, and heartbeats.
MESSAGES_PER_MINUTE: Final = 120
# When an address has reached its limit, sockets that have sent no more than this are still served,
# so that others behind the address of a flooder can play.
FEW_MESSAGES_PER_MINUTE: Final = 20
# The share of a minute's messages of an address that may arrive at once.
_BURST: Final = 1 / 6
# Refusals of handshakes are delayed, so that a client that retries at once costs almost nothing.
REFUSAL_SECONDS: Final = 1.0
# Our own close code, modelled on HTTP's 429: the browser does not reconnect by itself.
CLOSE_TOO_MANY: Final = 4429

_csrf = CsrfViewMiddleware(lambda request: HttpResponse())
_connection_ids = count()


def protect(app: Application) -> Application:
    """Wrap `app` in all checks. Limits per address come first: finding the user costs a query."""
    limited = counting(limit_messages(app))
    per_user = limit_connections(limited, per="PERSON", key=_user_key)
    authenticated = CookieMiddleware(SessionMiddleware(AuthInTurn(per_user)))
    per_address = limit_connections(
        same_origin_only(authenticated), per="ADDRESS", key=lambda scope: str(scope["address"])
    )
    return with_address(per_address)


def with_address(app: Application) -> Application:
    """Add `address` to the scope, the client's key in rate limits; "" if it is unknown."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "address": address_of(scope)}, receive, send)

    return application


class AuthInTurn(AuthMiddleware):
    """Find the user of a handshake when it is this address's turn on the games thread."""

    async def resolve_scope(self, scope: Scope) -> None:
        if not scope["session"].session_key:
            scope["user"]._wrapped = AnonymousUser()
            return
        async with LOOKS().turn(scope["address"], None):
            await super().resolve_scope(scope)


def same_origin_only(app: Application) -> Application:
    """Reject a handshake unless its Origin may also POST our forms.

    Django's CSRF check decides: the scheme, host and port of the request itself, or one of
    CSRF_TRUSTED_ORIGINS. Channels' AllowedHostsOriginValidator compares host names only, so any
    other port or scheme of our host would pass; its OriginValidator needs a fixed list, and the
    site's own origin is known from the request alone.
    """

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if _is_allowed_origin(_as_request(scope)):
            await app(scope, receive, send)
        else:
            await reject_handshake(scope, receive, send)

    return application


def limit_connections(app: Application, *, per: str, key: Callable[[Scope], str]) -> Application:
    """Limit open sockets, and new ones per minute, for each `key` by the settings for `per`.

    `per` is "PERSON" or "ADDRESS", the end of the settings' names. If `key` is "", there is no
    limit.
    """
    connections: Counter[str] = Counter()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        client = key(scope)
        if not client:
            return await app(scope, receive, send)
        if not allow_opening(per, client):
            refusals.of_a_socket("openings")
            await asyncio.sleep(REFUSAL_SECONDS)
            return await reject_handshake(scope, receive, send)
        if connections[client] >= getattr(settings, f"SOCKETS_PER_{per}"):
            refusals.of_a_socket("sockets")
            return await accept_and_close(receive, send)
        connections[client] += 1
        try:
            await app(scope, receive, send)
        finally:
            connections[client] -= 1
            if not connections[client]:
                del connections[client]

    return application


def limit_messages(app: Application) -> Application:
    """Close a socket that sends too many messages, and drop its further messages."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        connection_id, closed = str(next(_connection_ids)), False

        async def limited_receive() -> Message:
            nonlocal closed
            while (message := await receive())["type"] == "websocket.receive":
                if not closed and _may_say(scope["address"], connection_id):
                    break
                if not closed:
                    closed = True
                    refusals.of_a_socket("messages")
                    await send({"type": "websocket.close", "code": CLOSE_TOO_MANY})
            return message

        await app(scope, limited_receive, send)

    return application


def _may_say(address: str, connection_id: str) -> bool:
    if not allow("message", connection_id, per_minute=MESSAGES_PER_MINUTE):
        return False
    is_one_of_few = allow("few messages", connection_id, per_minute=FEW_MESSAGES_PER_MINUTE)
    most = settings.MESSAGES_PER_ADDRESS
    burst = max(1, int(most * _BURST))
    is_within = not address or allow("message", address, per_minute=most, burst=burst)
    return is_within or is_one_of_few


def counting(app: Application) -> Application:
    """Add `allow_post` and `allow_look` to the scope.

    Each counts one action of the consumer, like a POST or a look by request of the same person and
    address.
    """

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        handshake = _as_request(scope)
        handshake.user = scope["user"]
        counts = {
            "allow_post": partial(allow_post, handshake),
            "allow_look": partial(_allow_look, scope["address"], scope["user"].pk),
        }
        await app({**scope, **counts}, receive, send)

    return application


def _allow_look(address: str, person: int | None) -> bool:
    is_allowed = allow_look(address, person)
    if not is_allowed:
        refusals.of_a_socket("looks")
    return is_allowed


async def reject_handshake(scope: Scope, receive: Receive, send: Send) -> None:
    """Reject with HTTP 403; a browser reports close code 1006."""
    await receive()
    await send({"type": "websocket.close"})


async def accept_and_close(receive: Receive, send: Send) -> None:
    """Accept and close with CLOSE_TOO_MANY: a browser sees a close code only on an open socket."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": CLOSE_TOO_MANY})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def _as_request(scope: Scope) -> HttpRequest:
    """Return the handshake as a request, for the checks of Django and allauth."""
    return ASGIRequest({**scope, "method": "GET"}, BytesIO())


def _is_allowed_origin(handshake: HttpRequest) -> bool:
    """Apply Django's check of a form's Origin; refuse a client that sends none."""
    if "HTTP_ORIGIN" not in handshake.META:
        return False
    try:
        return bool(_csrf._origin_verified(handshake))  # type: ignore[attr-defined]  # no stub
    except (DisallowedHost, ValueError):
        return False


def _user_key(scope: Scope) -> str:
    """Return the user's key; "" for visitors, who are limited by their address alone."""
    return str(scope["user"].pk or "")
