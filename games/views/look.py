"""What is new at a table or in the lobby, for pages that no WebSocket reaches.

A page asks every few seconds. Each answer is what a socket would have been sent: the same fragments
for the same viewer, in the language of the page, and only those that are not on the page yet.
"""

from __future__ import annotations

from http import HTTPStatus
from time import monotonic
from typing import Final
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import catalogue, page_identity, regional_formats
from games.chat import rendering
from games.models import Game
from games.play import presence
from games.rendering import frames
from games.rendering.common import milliseconds
from games.store import queries

# Pages of the lobby that ask within so many seconds share a rendering.
LOBBY_SECONDS: Final = 1.0


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The table, the viewer's own place and the chat, as far as they are newer than the ETag says.

    200 with the fragments, 304 when there is nothing new, 409 when the page was made for another
    session, 404 when there is no such table.
    """
    game = get_object_or_404(Game, code=code)
    if _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    seat = queries.seat_of(game, request.user)
    number = None if seat is None else seat.number
    presence.record(game, number, now=timezone.now())
    seen, _, heard = _tag(request).partition("-")
    with translation.override(_language(request)):
        talk = rendering.messages(game, user=request.user)
        etag = rendering.etag(talk)
        html = "" if seen == str(game.seq) else frames.frame(game, number, user=request.user)
    if heard != etag:
        html += talk
    return _answer(html, tag=f"{game.seq}-{etag}")


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The list of public tables, of one game or of all; answers like `table`."""
    key = request.GET.get("game", "")
    if key and key not in {game.key for game in catalogue.every()}:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    if _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    with translation.override(_language(request)):
        html = frames.lobby(key, since=monotonic() - LOBBY_SECONDS).html
    tag = f"{crc32(html.encode()):08x}"
    return _answer("" if _tag(request) == tag else html, tag=tag)


def _is_another(request: HttpRequest) -> bool:
    asked = request.GET.getlist("as")
    return page_identity.is_another(asked, request.user, request.session)


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang")
    return regional_formats.language_of(asked) if asked else get_language() or ""


def _tag(request: HttpRequest) -> str:
    """What the page has already, in the words of `_answer`; proxies may mark a tag as weak."""
    return request.headers.get("If-None-Match", "").removeprefix("W/").strip('"')


def _answer(html: str, *, tag: str) -> HttpResponse:
    status = HTTPStatus.OK if html else HTTPStatus.NOT_MODIFIED
    now = milliseconds(timezone.now())  # as each message of a socket says it
    return HttpResponse(html, status=status, headers={"ETag": f'"{tag}"', "X-Now": str(now)})
