"""The replay of a finished game, moment by moment, and downloads of its record."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue, shown
from games.models import Game, Seat
from games.play import retry
from games.social.chat import rendering as chat
from games.store import queries
from games.study.marks import shown as marks
from games.study.questions import decisions
from games.study.replay import replay_address, replay_cache, replay_page, replay_viewing
from games.study.replay.replay_bar import BATCH
from games.study.replay.replay_page import ReplayPage
from games.study.review import review_page, reviews
from games.study.review.reviewed_decision import ToldDecision
from games.table import fragment_cache
from games.views import link_preview

Status = Game.Status
_KEPT_SECONDS: Final = 600


@require_safe
def replay(request: HttpRequest, code: str, moment: int | None = None) -> HttpResponse:
    """The page of a moment of a finished game with all hands open; by default the first moment.

    Redirects to the table if the game isn't over yet, or if it was closed, which the table says.
    """
    game = get_object_or_404(Game, code=code)
    if game.status != Status.FINISHED:
        if game.status != Status.CLOSED:
            messages.info(
                request, _("This game isn't over yet. You can watch the replay when it ends.")
            )
        return redirect("games:table", game.code)
    seat = queries.seat_of(game, request.user)
    at = request.GET.get("at") if moment is None else None
    if at == replay_address.DECISION:
        return redirect(replay_page.address(game, _decided(game, seat)))
    number = 1 if moment is None else moment
    viewing = replay_viewing.from_query(request.GET, game)
    if viewing is None:
        raise Http404
    page = replay_cache.moment(game, number, viewing)
    if page is None:
        raise Http404
    kind = catalogue.of(game.kind_key)
    context = shown.context(page) | {"assets": kind.assets, "viewer": seat and seat.number}
    context |= {"SITE_NAME": words.site_name(kind.key), "reviewed": kind.review is not None}
    if kind.throws is not None:
        context["fair"] = {"key": kind.key, "title": kind.throws.title()}
    if seat is not None and viewing.only != seat.number:
        context["url_mine"] = page.whose.seats[seat.number].url_only
    if seat is not None:
        context["earned"] = marks.of_game(game, request.user)
    until = page.moment.until
    context["talk_html"] = chat.messages_until(game, until, user=request.user)
    context["talks"] = bool(context["talk_html"]) or chat.was_used(game)
    context |= link_preview.of_game(game).context(request, game)
    if request.user.is_authenticated and queries.is_open_to(game, request.user):
        context["asks"] = {"here": decisions.of_game(game, number) is not None}
    tries = retry.is_offered(game, request.user)
    if tries:
        there = kind.replay.moments(game)
        context["tries"] = {"here": retry.has_decision(kind, there, number)}
    if page.moves.may_be_judged and viewing.sealed is None:  # who guesses is told nothing
        context["judged"] = _judged(game, number, seat, tries=tries)
    return render(request, "games/replay.html", context)


def _judged(game: Game, number: int, seat: Seat | None, *, tries: bool) -> ToldDecision | None:
    """What a stored review says of the decision at a moment; None without a review or a value."""
    review = reviews.of_game(game)
    decisions = [] if review is None else review.content["decisions"]
    found = next((each for each in decisions if each["number"] == number), None)
    reader = None if seat is None else seat.number
    return None if found is None else review_page.judgement_of(game, found, reader, tries=tries)


def _decided(game: Game, seat: Seat | None) -> int:
    """The moment that decided a finished game for its player; by its review, if there is one."""
    if seat is None:
        return replay_page.decision(game)
    review = reviews.of_game(game)
    by_review = None if review is None else review_page.deciding(review, seat.number)
    return by_review or replay_page.decision(game, seat.number)


@require_safe
def moments(request: HttpRequest, code: str, seq: int, first: int) -> HttpResponse:
    """Some moments of a finished game from `first` on, for the script of a page of this `seq`.

    The response is the same for everybody: no session is read, and the language and a hash of the
    names are part of the address. So it can be cached; shared caches may keep it if the game was
    public.
    """
    game = _finished(code)
    if not game.deal_seq < seq <= game.seq:  # a rematch increments `seq` while pages are open
        raise Http404
    viewing = replay_viewing.from_query(request.GET, game)
    language = request.GET.get("in")
    if viewing is None or language not in dict(settings.LANGUAGES) or first % BATCH != 1:
        raise Http404
    with override(language):
        pages = replay_cache.moments(game, first, viewing)
        html = "".join(_batched(page) for page in pages)
    if not pages:
        raise Http404
    kept_by = "public" if game.listed else "private"
    return HttpResponse(html, headers={"Cache-Control": f"{kept_by}, max-age={_KEPT_SECONDS}"})


moments.same_for_all = True  # type: ignore[attr-defined]  # see perudo_site/middleware.py


@require_safe
def record_text(request: HttpRequest, code: str) -> HttpResponse:
    """The download of a finished game's record as text, for people."""
    game = _finished(code)
    return _file(game, "txt", replay_cache.record_text(game), "text/plain; charset=utf-8")


@require_safe
def record_json(request: HttpRequest, code: str) -> HttpResponse:
    """The download of a finished game's record as JSON, for programs."""
    game = _finished(code)
    return _file(game, "json", replay_cache.record_json(game), "application/json")


def _batched(page: ReplayPage) -> str:
    return fragment_cache.plain("games/_replay_moment.html", shown.context(page))


def _finished(code: str) -> Game:
    return get_object_or_404(Game, code=code, status=Status.FINISHED)


def _file(game: Game, ending: str, content: str, kind: str) -> HttpResponse:
    # The file name contains nothing that a player chose.
    name = f"{game.kind_key}-{game.code}.{ending}"
    return HttpResponse(
        content,
        content_type=kind,
        headers={"Content-Disposition": content_disposition_header(True, name)},
    )
