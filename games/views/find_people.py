"""From a game that everybody else has left to other people, in one press."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.actions import at_a_table
from games.actions.outcomes import Done
from games.views import actions, matching


@actions.changes_tables
@require_POST
def find_people(request: HttpRequest, code: str) -> HttpResponse:
    """End that game, and press *Play with people*, for the field `game`."""
    outcome = actions.done_for(request, code, at_a_table.END_HERE)
    if isinstance(outcome, Done):
        return matching.play(request)
    return actions.answer(request, code, outcome)
