"""The lobby: what is on, opening a table, playing at once."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import AnyUser
from accounts.views import guest
from games import catalogue, words
from games.errors import Refused
from games.forms import PlayNowForm, named_kind
from games.matching import button, queue
from games.models import Game
from games.play import before_start
from games.rendering import (
    daily_page,
    frames,
    game_list,
    hero_panels,
    home_page,
    link_preview,
    table_list,
)
from games.views import guests
from games.views.actions import changes_tables
from games.views.holder import holder


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the lobby, of one game if the address names it, and an introduction; first,
    for who has played before, what concerns them now.
    """
    only_game = request.GET.get("game", "")
    if only_game:
        _find(only_game)
    now, user = timezone.now(), request.user
    known = home_page.known(user, now=now)
    preview = link_preview.of_site(settings.SITE_NAME, get_language() or settings.LANGUAGE_CODE)
    context = {"only_game": only_game, "tables": frames.recent_lobby(only_game)}
    context |= _for_new(user, now) if known is None else _for_known(request, known, now)
    template = "games/home.html" if known is None else "games/home_of_mine.html"
    return render(request, template, context | preview.context(request))


def _for_new(user: AnyUser, now: datetime) -> dict[str, Any]:
    return {
        "games": hero_panels.games(),
        "play": button.context(user),
        "my_games": table_list.my_games(user),
        "daily": daily_page.line(user, now),
    }


def _for_known(request: HttpRequest, person: home_page.Known, now: datetime) -> dict[str, Any]:
    games = person.mine
    bound = any(queue.binds(person.user, game) for game in games)
    mine, token = table_list.of(person.user, games), get_token(request)
    found = home_page.shown(person, mine, bound=bound, now=now)
    return {
        "games": game_list.games(),
        "panels": hero_panels.of_accounts(token),
        "play": None if bound else button.context(person.user, bound=""),
        "my_games": mine,
        "step": found["step"]["kind"],
        "mine": home_page.sections(found, person=person, csrf_token=token),
    }


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
    elif request.method == "POST":  # what was typed stays
        refused_name = {"name": request.POST.get("username", ""), "errors": []}
    context = {
        "form": form,
        "games": game_list.games(),
        "refused_name": refused_name,
        "proposed_name": guests.proposal(request),
    }
    status = 422 if form.errors or refused_name else 200
    return render(request, "games/new.html", context, status=status)


def _opened(request: HttpRequest, form: catalogue.TableForm) -> Game:
    may_open(request)
    return before_start.open_game(
        cast(User, request.user), form.table_settings(), holder=holder(request), now=timezone.now()
    )


def _new_table_form(request: HttpRequest) -> catalogue.TableForm:
    """The form of the game that the request names; of the default one with an error if none has
    that key. Http404 for an address with an unknown key.
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
    """The game that an address names, by default the first. Http404 when there is none."""
    try:
        return named_kind({"game": key})
    except KeyError as unknown:
        raise Http404 from unknown


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A table against bots, at once; a visitor becomes a guest first."""
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
    """Count one more table of this person and this address; Refused: `too_many_games`.

    Quick games and rematches are tables too. One that was left again or is over still counts, for
    ten minutes. The limit is allauth's, so that it holds over all processes (see `views.chat.say`).
    """
    if not ratelimit.consume(request, action="open_table"):
        raise Refused("too_many_games")
