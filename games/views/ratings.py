"""The pages of ratings: the leaderboard of each game, and one's friends."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.contract import catalogue
from games.lobby import game_list
from games.models import LISTED_GAMES
from games.social.friends import ties
from games.study.ratings import board


@require_safe
def ratings(request: HttpRequest, kind_key: str = "") -> HttpResponse:
    """Who is strongest at a game. Raises Http404 for a game without ratings.

    Who has chosen to see no ratings is told so, and finds none here.
    """
    rated = [each for each in game_list.names() if catalogue.of(each.key).ratings is not None]
    if not rated:
        raise Http404
    if not kind_key:
        return redirect("games:ratings-of", rated[0].key)
    if kind_key not in [each.key for each in rated]:
        raise Http404
    context: dict[str, Any] = {"games": rated, "kind_key": kind_key}
    user, now = request.user, timezone.now()
    if user.is_authenticated and not user.sees_ratings:
        return render(request, "games/ratings.html", context | {"hidden": True})
    me = user if user.is_authenticated and not user.is_guest else None
    context["board"] = board.leaderboard(kind_key, me=me, now=now)
    context["fewest"] = {"people": board.FEWEST_PEOPLE, "games": LISTED_GAMES}
    if me is not None:
        friends = list(ties.friends_of(me))
        context["friends"] = board.among_friends(kind_key, me, friends)
        context["month"] = board.this_month(kind_key, me, friends, now=now)
    return render(request, "games/ratings.html", context)
