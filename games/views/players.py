"""A person's page: the statistics and the list of their games."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games import words
from games.contract import catalogue
from games.lobby import table_list
from games.models import Seat
from games.social.friends import ties as friends
from games.store import manners
from games.study.marks import shown as marks
from games.study.players import best_games
from games.study.players.game_filter import GameFilter
from games.study.players.game_list import Place, finished_games, page
from games.study.players.statistics import statistics
from games.study.ratings import of_person
from games.study.replay import replay_address
from games.study.review import figures

GAMES_A_PAGE = 20


@require_safe
def best(request: HttpRequest) -> HttpResponse:
    """The best public games of the week, for everybody."""
    return render(request, "games/best.html", {"games": best_games.of_the_week(now=timezone.now())})


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """The page of a person. Raises Http404 for unknown names and for inactive accounts."""
    person = named_or_404(username)
    if not person.is_active:
        raise Http404
    if person.get_username() != username:
        return redirect("games:profile", person.get_username())
    viewer = request.user
    context: dict[str, Any] = {"shows_games": person.shows_games_to(viewer)}
    if context["shows_games"]:
        context |= _games(request, person)
        if not viewer.is_authenticated or viewer.sees_ratings:
            context |= _ratings(request, person)
    context["person"] = {
        "name": person.shown_name,
        "username": person.get_username(),
        "avatar": person.avatar,
        "joined": person.date_joined,
        "is_guest": person.is_guest,
        "is_me": person == viewer,
    }
    if viewer.is_authenticated:
        context["relation"] = friends.relation(viewer, person)
    return render(request, "games/profile.html", context)


def _games(request: HttpRequest, person: User) -> dict[str, Any]:
    """The statistics and a page of the list, limited to what the reader may know."""
    games = finished_games(person, viewer=request.user)
    chosen = GameFilter(request.GET or None, person=person, viewer=request.user, now=timezone.now())
    if chosen.is_bound:
        games = chosen.apply(games)
    newer, older = (Place.from_text(request.GET.get(name, "")) for name in ("newer", "older"))
    shown = page(games, newer=newer, older=older, size=GAMES_A_PAGE)
    reviewed = (
        figures.in_short(person, [seat.game_id for seat in shown.seats])
        if person.shows_reviews_to(request.user)
        else {}
    )
    rows = [_row(seat, reviewed.get(seat.game_id, "")) for seat in shown.seats]
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


def _ratings(request: HttpRequest, person: User) -> dict[str, Any]:
    """The ratings of a person who sees some too; with friends, on one's own page or theirs."""
    viewer = request.user
    if not person.sees_ratings:
        return {}
    compared: list[of_person.Against] = []
    if viewer.is_authenticated and viewer == person:
        compared = of_person.against(person, list(friends.friends_of(person)))
    elif viewer.is_authenticated and friends.are_friends(viewer, person):
        compared = of_person.against(viewer, [person])
    found = of_person.of_person(person, now=timezone.now())
    mine = manners.of(person) if viewer == person else None
    return {"ratings": found, "against": compared, "manners": mine}


def _statistics(request: HttpRequest, person: User) -> list[dict[str, Any]]:
    """The statistics and marks of each game, with figures from reviews where they may be seen."""
    viewer = request.user
    found = statistics(person)
    shelves = marks.of_person(person, viewer=viewer) if found else {}
    for each in found:
        each["marks"] = shelves.get(each["game"])
        throws = catalogue.of(each["game"]).throws
        if throws is not None and viewer == person:
            each["fair"] = throws.title()
    if person.shows_reviews_to(viewer):
        for each in found:
            each["reviews"] = figures.of_person(person, each["game"], viewer=viewer)
    return found


def named_or_404(username: str) -> User:
    """The person with this name in any spelling, even suspended or deleted. Raises Http404."""
    person = get_user_model().named(username)
    if person is None:
        raise Http404
    return person


def _row(seat: Seat, reviewed: str) -> dict[str, Any]:
    """The values of a game in the list, from the view of this seat."""
    game = seat.game
    lasted = game.finished_at and game.started_at and game.finished_at - game.started_at
    return {
        "code": game.code,
        "url": replay_address.of_decision(game.code),
        "finished": game.finished_at,
        "length": words.length(lasted) if lasted else "",
        "place": seat.place,
        "left": seat.left,
        "seats": len(game.company),
        "others": [
            {"name": other.name, "avatar": other.avatar, "bot": other.bot != ""}
            for other in game.company
            if other.pk != seat.pk
        ],
        "game_mark": words.game_mark(game.kind_key),
        "reviewed": reviewed,
        "unusual": table_list.unusual(game),
        "public": game.listed,
    }
