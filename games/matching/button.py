"""What the button *Play with people* needs: the games to choose from, and who waits there."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from accounts.requests import AnyUser
from games import catalogue, words
from games.matching import queue
from games.models import IN_LINE, Search
from games.play import quick_tables
from games.store.quick_tables import people_in_line


def context(user: AnyUser, *, bound: str | None = None) -> dict[str, Any]:
    """The values of `games/_play_people.html`, in the active language.

    `table` is the address of a game that binds the person, and `waits_in` the game where somebody
    else waits, by key, for one who has chosen another. `bound` is the code of that game, or "",
    where the caller knows it.
    """
    waiting = people_in_line()
    search = None
    if user.is_authenticated:
        search = Search.objects.filter(pk=user.pk, state__in=IN_LINE).first()
        if bound is None:
            game = queue.playing(user)
            bound = game.code if game else ""
    if search is not None:  # others, that is
        for key in waiting:
            waiting[key] -= search.choice in ("", key)
    return {
        "choices": [_choice(kind, waiting[kind.key]) for kind in catalogue.every()],
        "chosen": search.choice if search else "",
        "waiting": max(waiting.values(), default=0),
        "in_line": search is not None,
        "bots": search.bots if search else True,
        "table": reverse("games:table", args=[bound]) if bound else "",
        "asks_name": not user.is_authenticated,
    }


def _choice(kind: catalogue.GameKind, waiting: int) -> dict[str, Any]:
    seats = quick_tables.seats(kind.key)
    settings = quick_tables.settings_of(kind.key)
    return {
        "key": kind.key,
        "name": kind.words.name(),
        "rules": kind.words.preset(settings.preset),
        "pace": words.pace(settings.turn_seconds),
        "seats": seats.start,
        "most": seats[-1],
        "waiting": waiting,
    }
