"""Polling for pages that no WebSocket reaches: what is new at a table or in the lobby.

A page asks every few seconds. The response is what a socket would have been sent: the same
fragments for the same viewer, in the language of the page, without those that the page has already.
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

from games import page_identity, regional_formats
from games.contract import catalogue
from games.core.numbers import whole_number
from games.lobby import lobby_frame
from games.lobby.matching import head
from games.models import Game
from games.play import open_pages, presence
from games.social.chat import rendering
from games.social.inbox import turns
from games.store import queries
from games.table import frames
from games.table.common import milliseconds

# Pages of the lobby that ask within this time, in seconds, share a rendering.
LOBBY_SECONDS: Final = 1.0


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The fragments of the table, the viewer's own part and the chat that are newer than the ETag.

    Status: 200 with fragments, 304 if nothing is new, 409 if the page was made for another session,
    404 if there is no such table.
    """
    return _table(request, code)


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """As `table`, for a big screen: a spectator's view, and only the reactions of the chat.

    Status: 200, 304 or 404; such a page belongs to no session.
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
    """The list of public tables, of one game or of all; the statuses are those of `table`."""
    key = request.GET.get("game", "")
    if key and key not in {kind.key for kind in catalogue.every()}:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    if _is_another(request):
        return HttpResponse(status=HTTPStatus.CONFLICT)
    seen, _, told = _tag(request).partition("-")
    with translation.override(_language(request)):
        html = lobby_frame.lobby(key, since=monotonic() - LOBBY_SECONDS)
        inbox_seq, badge = _inbox(request, told)
    tag = f"{crc32(html.encode()):08x}"
    return _answer(("" if seen == tag else html) + badge, tag=f"{tag}-{inbox_seq}")


@require_safe
def person(request: HttpRequest) -> HttpResponse:
    """The inbox badge, for a page on which nothing else changes; the statuses are as in `table`.

    404 for visitors who are not signed in.
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

    `told` is the version that the page has, "" at its first look. Visitors who are not signed in
    get "0" and no fragment.
    """
    if request.user.pk is None:
        return "0", ""
    page = get_language() or "", here, page_identity.of(request.user, request.session)
    number = whole_number(told, digits=9)
    shown = -1 if number is None else number
    found = head.render_for(request.user.pk, shown, [page])
    return (told, "") if found is None else (str(found[0]), found[1][page])


def _is_another(request: HttpRequest) -> bool:
    asked = request.GET.getlist("as")
    return page_identity.is_another(asked, request.user, request.session)


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang")
    return regional_formats.language_of(asked) if asked else get_language() or ""


def _tag(request: HttpRequest) -> str:
    """The tag from `_answer` of what the page has already; proxies may have marked it as weak."""
    return request.headers.get("If-None-Match", "").removeprefix("W/").strip('"')


def _answer(html: str, *, tag: str) -> HttpResponse:
    status = HTTPStatus.OK if html else HTTPStatus.NOT_MODIFIED
    now = milliseconds(timezone.now())  # each message of a socket has the time, too
    return HttpResponse(html, status=status, headers={"ETag": f'"{tag}"', "X-Now": str(now)})
