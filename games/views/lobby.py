"""The lobby: what is on, opening a table, playing at once."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import lobby, screens, words
from games.forms import NewTableForm, PlayNowForm
from games.refusal import Refused
from games.rules.perudo.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET, differences
from games.screens import hall


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The lobby, and for a newcomer the front door."""
    return render(
        request,
        "games/home.html",
        {
            "tables": screens.lobby_tables(),
            "my_games": hall.my_games(request.user),
            "play_now": PlayNowForm(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Open a table."""
    form = NewTableForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            may_open(request)
            game = lobby.open_game(request.user, now=timezone.now(), **form.table())
            return redirect("games:table", game.code)
        except Refused as refused:
            form.add_error(None, words.reason(refused.code, refused.details))
    return render(request, "games/new.html", {"form": form}, status=200 if not form.errors else 422)


@require_POST
@login_required
def play_now(request: HttpRequest) -> HttpResponse:
    """A table against bots, at once; `perudo_site` makes strangers guests on the way here."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        for sentences in form.errors.values():
            messages.error(request, " ".join(map(str, sentences)))
        return redirect("games:home")
    try:
        may_open(request)
        game = lobby.play_now(
            request.user,
            bots=form.kinds(),
            preset=SITE_PRESET,
            options=SITE_OPTIONS.to_json(),
            now=timezone.now(),
        )
    except Refused as refused:
        messages.error(request, words.reason(refused.code, refused.details))
        return redirect("games:home")
    return redirect("games:table", game.code)


def may_open(request: HttpRequest) -> None:
    """Count one more table of this person and this address; Refused: `too_many_games`.

    Quick games and rematches are tables too. One that was left again or is over still counts, for
    ten minutes. The limit is allauth's, so that it holds over all processes (see `company.say`).
    """
    if not ratelimit.consume(request, action="open_table"):
        raise Refused("too_many_games")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, in our own words, and where the rulebooks part."""
    books = {key: options.to_json() for key, options in PRESETS.items()}
    parted = [name for name in CHOICES if len({book[name] for book in books.values()}) > 1]
    context: dict[str, Any] = {
        "turn_seconds": settings.TURN_SECONDS,
        "presets": [
            {
                "name": words.preset(key),
                "points": [
                    (words.setting_label(name), words.setting(name, book[name])) for name in parted
                ],
            }
            for key, book in books.items()
        ],
        "site": {
            "name": words.preset(SITE_PRESET),
            "differences": [
                words.setting(name, value)
                for name, value in differences(SITE_OPTIONS, SITE_PRESET).items()
            ],
        },
    }
    return render(request, "games/rules.html", context)
