"""Trying again from a moment of a finished game."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.models import User
from games import words
from games.errors import Refused
from games.models import Game
from games.play import retry
from games.study.replay import replay_page
from games.views import actions, guests
from games.views.holder import holder
from games.views.lobby import may_open


@actions.changes_tables
@require_POST
def try_again(request: HttpRequest, code: str, moment: int) -> HttpResponse:
    """Start a game against bots at the decision of this moment, and redirect to its table. A
    visitor becomes a guest first.
    """
    game = get_object_or_404(Game, code=code)
    try:
        retry.check(game, moment, request.user)
        if not request.user.is_authenticated:
            too_many = guests.come_in(request, None)
            if too_many is not None:
                return too_many
        may_open(request)
        person = cast(User, request.user)
        begun = retry.begin(game, moment, person, holder=holder(request), now=timezone.now())
    except Refused as refused:
        messages.error(request, words.reason(refused.code, refused.details))
        return actions.whole_page(request, redirect(_back(game, moment)))
    return actions.go(request, "games:table", begun.code)


def _back(game: Game, moment: int) -> str:
    if game.status != Game.Status.FINISHED:
        return reverse("games:table", args=[game.code])
    if not replay_page.has_moment(game, moment):
        return reverse("games:replay", args=[game.code])
    return replay_page.address(game, moment)
