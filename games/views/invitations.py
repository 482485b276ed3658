"""Views for people who follow the link of a table: join it, or the next one, as a guest; rename."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from accounts.forms import GuestForm
from accounts.models import User
from games import words
from games.errors import Refused
from games.models import Game
from games.play import before_start, next_seats, table_names
from games.table.act import Action, ActionRequest, seq_of
from games.table.at_a_table import NEXT, SIT
from games.table.results import Done, NotDone
from games.views import guests
from games.views import table as game_table
from games.views.actions import answer, changes_tables, done_for, go, notice, sentence


@changes_tables
@require_POST
def sit_as_guest(request: HttpRequest, code: str) -> HttpResponse:
    """Join an open table in one step; a visitor becomes a guest with the name they chose.

    If the name is taken or refused, the response is the page of the table with the reason (422).
    If the form has no field for it, as on pages loaded before there was one, the site chooses.
    """
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    if not request.user.is_authenticated:
        if game.status != Game.Status.OPEN:  # don't create a guest for a table without a seat
            return notice(request, code, words.reason("not_open"))
        form = guests.form_of(request, game) if "username" in request.POST else None
        refused = guests.come_in(request, form)
        if refused is not None:
            return refused
        if form is not None and form.errors:
            return _refuse(request, game, form)
    return answer(request, code, done_for(request, code, SIT))


@changes_tables
@require_POST
def next_as_guest(request: HttpRequest, code: str) -> HttpResponse:
    """Ask for a seat at the next table; a visitor becomes a guest with a name the site chooses."""
    if request.user.is_authenticated:
        return answer(request, code, done_for(request, code, NEXT))
    game = get_object_or_404(Game, code=code)
    try:
        next_seats.check_room(game)  # don't create a guest in vain
    except Refused as refused:
        return notice(request, code, words.reason(refused.code))
    too_many = guests.come_in(request, None)
    if too_many is not None:
        return too_many
    result = done_for(request, code, NEXT)
    if isinstance(result, NotDone):
        messages.error(request, sentence(result))
    return go(request, "games:table", code)  # reload: the page differs for people signed in


@changes_tables
@require_POST
def rename_guest(request: HttpRequest, code: str) -> HttpResponse:
    """Change a guest's name while their table is open; others are sent to their account page.

    Refused: `not_open`, `not_seated`.
    """
    instead: list[HttpResponse] = []

    def rename(asked: ActionRequest) -> Done | None:
        if not asked.user.is_guest:
            instead.append(go(request, "account"))
            return None
        if asked.game.status != Game.Status.OPEN:
            raise Refused("not_open")
        # A separate instance, so that a refused name doesn't show in the page's header.
        person = User.objects.get(pk=asked.user.pk)
        others = [name for name in table_names.at(asked.game) if name != person.shown_name]
        form = GuestForm(request.POST, instance=person, others=others)
        if not form.is_valid():
            instead.append(_refuse(request, asked.game, form))
            return None
        with transaction.atomic():
            before_start.show_new_name(code, asked.user, now=asked.now)
            form.save()
        return Done(seq_of(asked.game), goes_to=code)

    result = done_for(request, code, Action("rename_guest", rename))
    return instead[0] if instead else answer(request, code, result)


def _refuse(request: HttpRequest, game: Game, form: GuestForm) -> HttpResponse:
    return game_table.page(request, game, refused_name=guests.refused_name(request, form))
