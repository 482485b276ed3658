"""A person's page: how the games went, and the list of them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import words
from games.models import Seat
from games.players.history import GamesFilter, Place, finished_games, page
from games.players.statistics import statistics
from games.rendering.common import rules_in_words

GAMES_A_PAGE = 20


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """What everybody may know of a person; nobody is found under the name of one who is gone."""
    person = named_or_404(username)
    if not person.is_active:
        raise Http404
    if person.get_username() != username:
        return redirect("games:profile", person.get_username())
    chosen = GamesFilter(request.GET or None)
    results = finished_games(person, viewer=request.user)
    if chosen.is_bound:
        results = chosen.apply(results)
    newer, older = (Place.from_text(request.GET.get(name, "")) for name in ("newer", "older"))
    shown = page(results, newer=newer, older=older, size=GAMES_A_PAGE)
    context = {
        "person": {
            "name": person.shown_name,
            "username": person.get_username(),
            "avatar": person.avatar,
            "joined": person.date_joined,
            "is_guest": person.is_guest,
            "is_me": person == request.user,
        },
        "all_stats": statistics(person),
        "games": [_line(seat) for seat in shown.seats],
        "newer": shown.newer,
        "older": shown.older,
        "filter_form": chosen,
    }
    return render(request, "games/profile.html", context)


def named_or_404(username: str) -> Any:
    """The person of this name, however it is typed; suspended and deleted accounts too."""
    person = get_user_model().named(username)
    if person is None:
        raise Http404
    return person


def _line(seat: Seat) -> dict[str, Any]:
    """One game of the list, from the side of this seat."""
    game: Any = seat.game
    rules = rules_in_words(game)
    return {
        "code": game.code,
        "url": reverse("games:replay", args=[game.code]),
        "finished": game.finished_at,
        "place": seat.place,
        "left": seat.left,
        "seats": len(game.company),
        "opponents": [other.name for other in game.company if other.pk != seat.pk],
        "game_mark": words.game_mark(game.rules),
        "preset": rules.name,
        "differences": rules.differences,
        "public": game.public,
    }
