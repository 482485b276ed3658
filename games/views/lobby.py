"""The home page with the lobby, opening a table, and a quick game against bots."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import AnyUser
from accounts.views import guest
from games import words
from games.contract import catalogue
from games.contract.pages import TableForm
from games.errors import Refused
from games.forms import PlayNowForm, named_kind
from games.lobby import (
    game_list,
    hero_panels,
    home_page,
    home_stage,
    lobby_frame,
    table_list,
)
from games.lobby.matching import button, queue
from games.models import Game
from games.play import before_start
from games.study.questions import stage
from games.views import guests, link_preview
from games.views.actions import changes_tables
from games.views.holder import holder, may
from games.views.holder import home as home_key


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the lobby, of one game if the address names one, and an introduction. For
    returning players, what concerns them now comes first.
    """
    only_game = request.GET.get("game", "")
    if only_game:
        _find(only_game)
    now, user = timezone.now(), request.user
    known = home_page.known(user, now=now)
    asked = stage.today(user, now)
    preview = link_preview.of_site(settings.SITE_NAME, get_language() or settings.LANGUAGE_CODE)
    context: dict[str, Any] = {
        "only_game": only_game,
        "tables": lobby_frame.recent_lobby(only_game),
        "games": game_list.games(),
    }
    if known is None:
        context |= _for_new(user, asked, now)
    else:
        context |= _for_known(request, known, asked, now)
    kind = catalogue.of(asked.asked.kind_key) if asked else catalogue.default()
    context["on_stage"] = game_list.shown(kind)
    context["stage"] = _stage(request, asked, red=context["step"] == "question", now=now)
    template = "games/home.html" if known is None else "games/home_of_mine.html"
    return render(request, template, context | preview.context(request))


def _stage(request: HttpRequest, asked: stage.Today | None, *, red: bool, now: datetime) -> str:
    """The question of the day; `red`: to answer it is the next step of the page."""
    if asked is None:
        return home_stage.without_question()
    if asked.answer is None:
        return home_stage.asked(asked, csrf_token=get_token(request), red=red)
    site = request.build_absolute_uri(reverse("games:home"))
    return home_stage.answered(asked, cast(User, request.user), site=site, now=now)


def _for_new(user: AnyUser, asked: stage.Today | None, now: datetime) -> dict[str, Any]:
    is_asked = asked is not None and asked.answer is None
    return {
        "play": button.context(user, now=now),
        "my_games": table_list.my_games(user, now=now),
        "step": "question" if is_asked else "play",
        "keeps": False,
    }


def _for_known(
    request: HttpRequest, person: home_page.Known, asked: stage.Today | None, now: datetime
) -> dict[str, Any]:
    games = person.mine
    bound = any(queue.binds(person.user, game) for game in games)
    mine, token = table_list.of(person.user, games, now=now), get_token(request)
    is_asked = asked is not None and asked.answer is None
    found = home_page.shown(person, mine, bound=bound, is_asked=is_asked, now=now)
    return {
        "play": None if bound else button.context(person.user, now=now, bound=""),
        "my_games": mine,
        "step": found.step.kind,
        "keeps": person.user.is_guest,
        "mine": home_page.sections(found, person=person, csrf_token=token),
    }


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """The games, each with a quick game against bots."""
    return render(request, "games/bots.html", {"games": hero_panels.games()})


@changes_tables
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Open a table; a visitor becomes a guest with the name they chose in the same form."""
    form, refused_name = _new_table_form(request), None
    if request.method == "POST" and form.is_valid():
        if not request.user.is_authenticated:
            name = guests.form_of(request)
            too_many = guests.come_in(request, name)
            if too_many is not None:
                return too_many
            refused_name = guests.refused_name(request, name) if name.errors else None
        try:
            if refused_name is None:
                return redirect("games:table", _opened(request, form).code)
        except Refused as refused:
            form.add_error(None, words.reason(refused.code, refused.details))
    elif request.method == "POST":  # keep the typed name
        refused_name = {"name": request.POST.get("username", ""), "errors": []}
    context = {
        "form": form,
        "games": game_list.games(),
        "refused_name": refused_name,
        "proposed_name": guests.proposal(request),
    }
    status = 422 if form.errors or refused_name else 200
    return render(request, "games/new.html", context, status=status)


def _opened(request: HttpRequest, form: TableForm) -> Game:
    may_open(request)
    return before_start.open_game(
        cast(User, request.user),
        form.table_settings(),
        holder=holder(request),
        home=home_key(request),
        now=timezone.now(),
    )


def _new_table_form(request: HttpRequest) -> TableForm:
    """The form of the game that the request names. A POST with an unknown key gets the form of the
    default game, with an error; for a GET with one, this raises Http404.
    """
    if request.method != "POST":
        kind = _find(request.GET.get("game", ""))
        return kind.forms.NEW_TABLE(initial={"game": kind.key})
    try:
        kind = named_kind(request.POST)
    except KeyError:
        kind = catalogue.default()
    return kind.forms.NEW_TABLE(request.POST)


def _find(key: str) -> catalogue.GameKind:
    """The game that an address names, by default the first. Raises Http404."""
    try:
        return named_kind({"game": key})
    except KeyError as unknown:
        raise Http404 from unknown


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a game against bots at once; a visitor becomes a guest first."""
    if not request.user.is_authenticated:
        response = guest(request)
        if not request.user.is_authenticated:
            return response  # too many guests from one address
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        for sentences in form.errors.values():
            messages.error(request, " ".join(map(str, sentences)))
        return redirect("games:home")
    try:
        may_open(request)
        game = before_start.play_now(
            request.user,
            form.table_settings(),
            bots=form.kinds(),
            holder=holder(request),
            now=timezone.now(),
        )
    except Refused as refused:
        messages.error(request, words.reason(refused.code, refused.details))
        return redirect("games:home")
    return redirect("games:table", game.code)


def may_open(request: HttpRequest) -> None:
    """Count one more table of this person and this address. Refused: `too_many_games`.

    Quick games and rematches count too. A table that was left again or is over still counts, for
    ten minutes. The limit is allauth's, so it holds across all processes (see `views.holder.may`).
    """
    if not may(request, "open_table"):
        raise Refused("too_many_games")
