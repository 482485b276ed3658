"""The door of the sockets: from our own pages only, and no more than one person needs.

A socket listens to what a table shows. Whoever opens too many at once is told so by a closing code
after which the browser stays away; whoever opens them too fast is not let in, and the browser tries
again more and more slowly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from io import BytesIO
from itertools import count
from typing import Any, Final

from channels.auth import AuthMiddlewareStack
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from perudo_site import limits

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Our pages say nothing on a socket but, at most, that they are still there.
FRAMES_A_MINUTE: Final = 60
TOO_MUCH: Final = (
    4429  # a closing code of ours, after 429: the browser does not come back by itself
)

_forms = CsrfViewMiddleware(lambda request: HttpResponse())
_numbers = count()


def guarded(app: Application) -> Application:
    """Who asks is found out between the two counts: it costs a look into the database."""
    by_person = in_good_measure(only_listening(app), per="PERSON", who=_person)
    return from_our_pages(in_good_measure(AuthMiddlewareStack(by_person), per="ADDRESS", who=_from))


def from_our_pages(app: Application) -> Application:
    """Only a page that may post our forms may open our sockets: the same origin, port and all."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if _is_ours(_handshake(scope)):
            await app(scope, receive, send)
        else:
            await not_let_in(scope, receive, send)

    return application


def in_good_measure(app: Application, *, per: str, who: Callable[[Scope], str]) -> Application:
    """So many sockets at once, and so many openings a minute, per "PERSON" or "ADDRESS"."""
    open_now: Counter[str] = Counter()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        name = who(scope)
        if not name:
            return await app(scope, receive, send)
        openings = getattr(settings, f"OPENINGS_PER_{per}")
        if not limits.may(f"open.{per}", name, a_minute=openings):
            return await not_let_in(scope, receive, send)
        if open_now[name] >= getattr(settings, f"SOCKETS_PER_{per}"):
            return await turned_away(receive, send)
        open_now[name] += 1
        try:
            await app(scope, receive, send)
        finally:
            open_now[name] -= 1
            if not open_now[name]:
                del open_now[name]

    return application


def only_listening(app: Application) -> Application:
    """Who talks and talks on a socket is hung up on; what he says after that reaches nobody."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        number, hung_up = str(next(_numbers)), False

        async def heard() -> Message:
            nonlocal hung_up
            while (message := await receive())["type"] == "websocket.receive":
                if not hung_up and limits.may("frame", number, a_minute=FRAMES_A_MINUTE):
                    break
                if not hung_up:
                    hung_up = True
                    await send({"type": "websocket.close", "code": TOO_MUCH})
            return message

        await app(scope, heard, send)

    return application


async def not_let_in(scope: Scope, receive: Receive, send: Send) -> None:
    """The handshake is refused: 403 to a program, trouble (1006) to a browser."""
    await receive()
    await send({"type": "websocket.close"})


async def turned_away(receive: Receive, send: Send) -> None:
    """A browser hears a closing code only on a socket that was open."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": TOO_MUCH})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def _handshake(scope: Scope) -> HttpRequest:
    """The handshake as Django's and allauth's own checks read a request."""
    return ASGIRequest({**scope, "method": "GET"}, BytesIO())


def _is_ours(handshake: HttpRequest) -> bool:
    """What Django asks of a form's origin. A program that names none has no business here."""
    if "HTTP_ORIGIN" not in handshake.META:
        return False
    try:
        return bool(_forms._origin_verified(handshake))  # type: ignore[attr-defined]  # no stub
    except (DisallowedHost, ValueError):
        return False


def _from(scope: Scope) -> str:
    return limits.address_of(_handshake(scope))


def _person(scope: Scope) -> str:
    """Who has a session of his own; strangers are counted by their address alone."""
    return str(scope["user"].pk or "")
