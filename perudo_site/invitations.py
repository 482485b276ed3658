"""Views for friends who follow the link of a table: join as a guest with a name, change it."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts import lifecycle
from accounts.forms import GuestForm
from accounts.models import User
from games import words
from games.errors import Refused
from games.models import Game
from games.play import before_start
from games.views import table as game_table
from games.views.actions import go, notice, table_action


@require_POST
def sit_as_guest(request: HttpRequest, code: str) -> HttpResponse:
    """Join an open table in one step; a visitor becomes a guest with the name they chose.

    A name that is taken or refused is answered with the page of the table and the reason (422).
    Without a field for it, as on pages that were loaded before there was one, the site chooses.
    """
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    if not request.user.is_authenticated:
        if game.status != Game.Status.OPEN:  # no guest is made for a table that has no seat
            return notice(request, game, words.reason("not_open"))
        # Counted before the name is looked up: nobody can ask for thousands of names.
        if not ratelimit.consume(request, action="guest"):
            return ratelimit.respond_429(request)
        form = GuestForm(request.POST)
        if "username" not in request.POST:
            person = lifecycle.guest()
        elif form.is_valid():
            try:
                person = form.save()
            except ValidationError as taken:  # since the form looked
                form.add_error("username", taken)
                return _refuse(request, game, form)
        else:
            return _refuse(request, game, form)
        login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return game_table.sit(request, code)


@table_action
def rename_guest(request: HttpRequest, game: Game) -> HttpResponse:
    """Change a guest's name while their table waits; people with an account do it in the settings.

    Refused: `not_open`, `not_seated`.
    """
    if not request.user.is_guest:  # type: ignore[union-attr]  # table_action: signed in
        return go(request, "account")
    if game.status != Game.Status.OPEN:
        raise Refused("not_open")
    # A copy of its own: a refused name must not show in the page's header.
    person = User.objects.get(pk=request.user.pk)  # type: ignore[misc]  # table_action: signed in
    form = GuestForm(request.POST, instance=person)
    if not form.is_valid():
        return _refuse(request, game, form)
    with transaction.atomic():
        before_start.show_new_name(game.code, request.user, now=timezone.now())
        form.save()
    return go(request, "games:table", game.code)


def _refuse(request: HttpRequest, game: Game, form: GuestForm) -> HttpResponse:
    name = request.POST.get("username", "")
    refused: dict[str, Any] = {"name": name, "errors": form.errors.get("username", [])}
    return game_table.page(request, game, refused_name=refused)
