"""Leaving a game that everybody else has left, to find other people, in one step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.table import at_a_table
from games.table.results import Done
from games.views import actions, matching


@actions.changes_tables
@require_POST
def find_people(request: HttpRequest, code: str) -> HttpResponse:
    """End the game, and look for people as *Play with people* does, by the field `game`."""
    outcome = actions.done_for(request, code, at_a_table.END_HERE)
    if isinstance(outcome, Done):
        return matching.play(request)
    return actions.answer(request, code, outcome)
