"""Views of the pictures of link previews.

Anybody can make the site draw, so the URL configuration passes a rate limit as `may_draw`.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.lobby.standing import ownership
from games.models import Game
from games.play import worker
from games.study.questions import daily, days
from games.study.questions import question_links as questions
from games.study.review import cards
from games.views import link_preview, preview_image

MayDraw = Callable[[HttpRequest], bool]

_KEPT_SECONDS = 3600  # how long browsers and networks may cache a picture


@require_safe
def table(request: HttpRequest, code: str, *, may_draw: MayDraw) -> HttpResponse:
    """The picture of a table, the same for everybody."""
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    return _answer(request, link_preview.of_game(game).picture, may_draw)


@require_safe
def standing(request: HttpRequest, word: str, *, may_draw: MayDraw) -> HttpResponse:
    """The picture of a standing table."""
    table = ownership.find(word)
    if table is None:
        raise Http404
    return _answer(request, link_preview.of_standing(table).picture, may_draw)


@require_safe
def question(request: HttpRequest, asked: str, *, may_draw: MayDraw) -> HttpResponse:
    """The picture of a question: only what is asked, and what its player held."""
    found = questions.find(asked)
    if found is None:
        raise Http404
    question, decision = found
    return _answer(request, link_preview.of_decision(decision, question.game).picture, may_draw)


@require_safe
def day(request: HttpRequest, day: str, *, may_draw: MayDraw) -> HttpResponse:
    """The picture of a question of the day, the same before and after an answer."""
    known = days.parse(day)
    found = None if known is None else daily.of_day(known, timezone.now())
    if found is None:
        raise Http404
    return _answer(request, link_preview.of_day(daily.decision_of(found)).picture, may_draw)


@require_safe
def card(
    request: HttpRequest, code: str, seat: int, sign: str, *, may_draw: MayDraw
) -> HttpResponse:
    """The picture of a card. Raises Http404 for a private game, whose cards have none."""
    found = cards.find(code, seat, sign)
    if found is None or not found.game.listed:
        raise Http404
    return _answer(request, link_preview.of_card(found).picture, may_draw)


@require_safe
def site(request: HttpRequest, language: str, *, may_draw: MayDraw) -> HttpResponse:
    """The picture of the home page in one of the site's languages."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    picture = link_preview.of_site(settings.SITE_NAME, language).picture
    return _answer(request, picture, may_draw)


def _answer(
    request: HttpRequest, picture: preview_image.Picture, may_draw: MayDraw
) -> HttpResponse:
    png = preview_image.drawn(picture)
    if png is None:
        if not may_draw(request):
            return _later(HTTPStatus.TOO_MANY_REQUESTS)
        try:
            png = preview_image.draw(picture)
        except (worker.Busy, worker.Failed):
            return _later(HTTPStatus.SERVICE_UNAVAILABLE)
    headers = {"Cache-Control": f"public, max-age={_KEPT_SECONDS}"}
    return HttpResponse(png, content_type="image/png", headers=headers)


def _later(status: HTTPStatus) -> HttpResponse:
    return HttpResponse(status=status, headers={"Retry-After": "60", "Cache-Control": "no-store"})
