"""A person's page: how the games went, and the list of them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import words
from games.friends import services as friends
from games.models import Seat
from games.players.game_filter import GameFilter
from games.players.game_list import Place, finished_games, page
from games.players.statistics import statistics
from games.rendering import replay_address
from games.rendering.common import rules_in_words
from games.review import figures

GAMES_A_PAGE = 20


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """What everybody may know of a person; nobody is found under the name of one who is gone."""
    person = named_or_404(username)
    if not person.is_active:
        raise Http404
    if person.get_username() != username:
        return redirect("games:profile", person.get_username())
    viewer = request.user
    context: dict[str, Any] = {"shows_games": person.shows_games_to(viewer)}
    if context["shows_games"]:
        context |= _games(request, person)
    context["person"] = {
        "name": person.shown_name,
        "username": person.get_username(),
        "avatar": person.avatar,
        "joined": person.date_joined,
        "is_guest": person.is_guest,
        "is_me": person == viewer,
    }
    if viewer.is_authenticated:
        context["standing"] = friends.standing(viewer, person)
    return render(request, "games/profile.html", context)


def _games(request: HttpRequest, person: Any) -> dict[str, Any]:
    """The statistics and a page of the list, as far as the reader may know them."""
    games = finished_games(person, viewer=request.user)
    chosen = GameFilter(request.GET or None, person=person, viewer=request.user, now=timezone.now())
    if chosen.is_bound:
        games = chosen.apply(games)
    newer, older = (Place.from_text(request.GET.get(name, "")) for name in ("newer", "older"))
    shown = page(games, newer=newer, older=older, size=GAMES_A_PAGE)
    rows = [_row(seat) for seat in shown.seats]
    return {
        "all_stats": _statistics(request, person),
        "games": rows,
        "players": sorted(
            {each["name"] for row in rows for each in row["others"] if not each["bot"]}
        ),
        "newer": shown.newer,
        "older": shown.older,
        "looked_through": shown.looked_through,
        "filter_form": chosen,
        "filtered": any(request.GET.get(name) for name in chosen.fields),
    }


def _statistics(request: HttpRequest, person: Any) -> list[dict[str, Any]]:
    """The statistics of each game, with what its reviews say where the reader may know that."""
    found = statistics(person)
    if person.shows_reviews_to(request.user):
        for each in found:
            each["reviews"] = figures.of_person(person, each["game"], viewer=request.user)
    return found


def named_or_404(username: str) -> Any:
    """The person of this name, however it is typed; suspended and deleted accounts too."""
    person = get_user_model().named(username)
    if person is None:
        raise Http404
    return person


def _row(seat: Seat) -> dict[str, Any]:
    """One game of the list, from the side of this seat."""
    game: Any = seat.game
    rules = rules_in_words(game)
    return {
        "code": game.code,
        "url": replay_address.of_decision(game.code),
        "finished": game.finished_at,
        "length": words.length(game.finished_at - game.started_at) if game.started_at else "",
        "place": seat.place,
        "left": seat.left,
        "seats": len(game.company),
        "others": [
            {"name": other.name, "avatar": other.avatar, "bot": other.bot != ""}
            for other in game.company
            if other.pk != seat.pk
        ],
        "game_mark": words.game_mark(game.kind_key),
        "preset": rules.name,
        "differences": rules.differences,
        "public": game.listed,
    }
