"""Origin check and rate limits of WebSocket connections, per user and per client address.

A client with too many open sockets is accepted and closed with a code after which the browser does
not reconnect; one that opens them too fast has its handshake rejected, and the browser retries
less and less often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from io import BytesIO
from itertools import count
from typing import Any, Final

from channels.auth import AuthMiddlewareStack
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from perudo_site.ratelimit.local import allow, client_address
from perudo_site.ratelimit.posts import allow_post

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Moves, which count as posts besides, and now and then a question whether the connection lives.
MESSAGES_PER_MINUTE: Final = 120
# Our own close code, modelled on HTTP's 429: the browser does not reconnect by itself.
CLOSE_TOO_MANY: Final = 4429

_csrf = CsrfViewMiddleware(lambda request: HttpResponse())
_connection_ids = count()


def protect(app: Application) -> Application:
    """Wrap `app` in all checks. The address is limited first: finding the user costs a query."""
    limited = counting_moves(limit_messages(app))
    per_user = limit_connections(limited, per="PERSON", key=_user_key)
    per_address = limit_connections(AuthMiddlewareStack(per_user), per="ADDRESS", key=_address_key)
    return same_origin_only(per_address)


def same_origin_only(app: Application) -> Application:
    """Reject a handshake unless its Origin may also post our forms.

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
    """Limit open sockets, and new ones per minute, by the settings for `per` and for each `key`.

    `per` is "PERSON" or "ADDRESS", the end of the settings' names. No limit where `key` is "".
    """
    connections: Counter[str] = Counter()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        client = key(scope)
        if not client:
            return await app(scope, receive, send)
        per_minute = getattr(settings, f"OPENINGS_PER_{per}")
        if not allow(f"open.{per}", client, per_minute=per_minute):
            return await reject_handshake(scope, receive, send)
        if connections[client] >= getattr(settings, f"SOCKETS_PER_{per}"):
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
    """Close a socket that sends too many messages; those that follow are dropped."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        connection_id, closed = str(next(_connection_ids)), False

        async def limited_receive() -> Message:
            nonlocal closed
            while (message := await receive())["type"] == "websocket.receive":
                if not closed and allow("message", connection_id, per_minute=MESSAGES_PER_MINUTE):
                    break
                if not closed:
                    closed = True
                    await send({"type": "websocket.close", "code": CLOSE_TOO_MANY})
            return message

        await app(scope, limited_receive, send)

    return application


def counting_moves(app: Application) -> Application:
    """Give the consumer `allow_post`: counts one more move as a POST of its person and address."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        handshake = _as_request(scope)
        handshake.user = scope["user"]
        await app({**scope, "allow_post": partial(allow_post, handshake)}, receive, send)

    return application


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
    """The handshake as a request, for the checks of Django and allauth."""
    return ASGIRequest({**scope, "method": "GET"}, BytesIO())


def _is_allowed_origin(handshake: HttpRequest) -> bool:
    """Django's check of a form's Origin; a client that sends none is refused."""
    if "HTTP_ORIGIN" not in handshake.META:
        return False
    try:
        return bool(_csrf._origin_verified(handshake))  # type: ignore[attr-defined]  # no stub
    except (DisallowedHost, ValueError):
        return False


def _address_key(scope: Scope) -> str:
    return client_address(_as_request(scope))


def _user_key(scope: Scope) -> str:
    """The user's key; "" for visitors, who are limited by their address alone."""
    return str(scope["user"].pk or "")
