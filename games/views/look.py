"""What is new at a table or in the lobby, for pages that no WebSocket reaches.

A page asks every few seconds. Each answer is what a socket would have been sent: the same fragments
for the same viewer, in the language of the page, and only those that are not on the page yet.
"""

from __future__ import annotations

from http import HTTPStatus
from time import monotonic
from typing import Final
from zlib import crc32

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import catalogue, page_identity, regional_formats
from games.chat import rendering
from games.inbox import turns
from games.matching import head
from games.models import Game
from games.play import open_pages, presence
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
    return _table(request, code)


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The same for a big screen: what a spectator is shown, and of the chat the reactions.

    200, 304 or 404: such a page is of no session.
    """
    return _table(request, code, is_board=True)


def _table(request: HttpRequest, code: str, *, is_board: bool = False) -> HttpResponse:
    game = get_object_or_404(Game, code=code)
    user = AnonymousUser() if is_board else request.user
    if not is_board and _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    seat = queries.seat_of(game, user)
    number = None if seat is None else seat.number
    presence.record(game, number, user_id=user.pk, now=timezone.now())
    if seat is not None and seat.user_id is not None and game.status == Game.Status.PLAYING:
        open_pages.looked(game.code, seat.user_id)
        open_pages.tell_others(seat, game.code, now=timezone.now())
        turns.seen(game.code, seat.user_id)
    seen, heard, told = [*_tag(request).split("-"), "", ""][:3]
    with translation.override(_language(request)):
        html = "" if seen == str(game.seq) else frames.frame(game, number, user=user).html
        talk = rendering.reactions(game) if is_board else rendering.messages(game, user=user)
        etag = rendering.etag(talk)
        inbox_seq, badge = ("0", "") if is_board else _inbox(request, told, here=game.code)
    if heard != etag:
        html += talk
    return _answer(html + badge, tag=f"{game.seq}-{etag}-{inbox_seq}")


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The list of public tables, of one game or of all; answers like `table`."""
    key = request.GET.get("game", "")
    if key and key not in {kind.key for kind in catalogue.every()}:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    if _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    seen, _, told = _tag(request).partition("-")
    with translation.override(_language(request)):
        html = frames.lobby(key, since=monotonic() - LOBBY_SECONDS)
        inbox_seq, badge = _inbox(request, told)
    tag = f"{crc32(html.encode()):08x}"
    return _answer(("" if seen == tag else html) + badge, tag=f"{tag}-{inbox_seq}")


@require_safe
def person(request: HttpRequest) -> HttpResponse:
    """What the person is told, for a page that shows nothing else that changes; like `table`.

    404 for a visitor who is not signed in.
    """
    if _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    if request.user.pk is None:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    with translation.override(_language(request)):
        inbox_seq, badge = _inbox(request, _tag(request))
    return _answer(badge, tag=inbox_seq)


def _inbox(request: HttpRequest, told: str, *, here: str = "") -> tuple[str, str]:
    """The version of the reader's inbox, and its fragment unless the page has that version.

    `told` is the version that the page has, "" at its first look. Of a visitor who is not signed in
    "0" and nothing.
    """
    if request.user.pk is None:
        return "0", ""
    page = get_language() or "", here, page_identity.of(request.user, request.session)
    shown = int(told) if told.isascii() and told.isdigit() and len(told) < 10 else -1
    found = head.render_for(request.user.pk, shown, [page])
    return (told, "") if found is None else (str(found[0]), found[1][page])


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
