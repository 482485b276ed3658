"""The lobby: what is on, opening a table, playing at once."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import catalogue, words
from games.errors import Refused
from games.forms import NewTableForm, PlayNowForm, named_game
from games.play import before_start
from games.rendering import frames, game_list, link_preview, table_list
from games.views.holder import holder


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the lobby, of one game if the address names it, and an introduction."""
    only_game = request.GET.get("game", "")
    if only_game:
        _find(only_game)
    tables = frames.recent_lobby(only_game)
    preview = link_preview.of_site(settings.SITE_NAME, get_language() or settings.LANGUAGE_CODE)
    return render(
        request,
        "games/home.html",
        {
            "games": [_with_quick_play(game) for game in catalogue.every()],
            "only_game": only_game,
            "tables": tables.html,
            # Where people wait or play their tables come first, else the games.
            "lively": tables.is_lively,
            "my_games": table_list.my_games(request.user),
        }
        | preview.context(request),
    )


def _with_quick_play(game: catalogue.Game) -> dict[str, Any]:
    form = PlayNowForm(initial={"game": game.key}, auto_id=f"{game.key}_%s")
    return game_list.shown(game) | {"play_now": form}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Open a table."""
    form = _new_table_form(request)
    if request.method == "POST" and form.is_valid():
        try:
            may_open(request)
            game = before_start.open_game(
                request.user, holder=holder(request), now=timezone.now(), **form.table()
            )
            return redirect("games:table", game.code)
        except Refused as refused:
            form.add_error(None, words.reason(refused.code, refused.details))
    context = {"form": form, "games": game_list.games()}
    return render(request, "games/new.html", context, status=200 if not form.errors else 422)


def _new_table_form(request: HttpRequest) -> NewTableForm:
    """The form of the game that the request names; of the default one with an error if none has
    that key. Http404 for an address with an unknown key.
    """
    if request.method != "POST":
        game = _find(request.GET.get("game", ""))
        return game.forms.NEW_TABLE(initial={"game": game.key})
    try:
        game = named_game(request.POST)
    except KeyError:
        game = catalogue.default()
    return game.forms.NEW_TABLE(request.POST)


def _find(key: str) -> catalogue.Game:
    """The game that an address names, by default the first. Http404 when there is none."""
    try:
        return named_game({"game": key})
    except KeyError as unknown:
        raise Http404 from unknown


@require_POST
@login_required
def play_now(request: HttpRequest) -> HttpResponse:
    """A table against bots, at once; the site makes anonymous visitors guests on the way here."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        for sentences in form.errors.values():
            messages.error(request, " ".join(map(str, sentences)))
        return redirect("games:home")
    try:
        may_open(request)
        game = before_start.play_now(
            request.user, holder=holder(request), now=timezone.now(), **form.table()
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
