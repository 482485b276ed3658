"""The lobby's lists: open tables, running ones, the latest results."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet

from games import words
from games.models import Game, Seat
from games.screens.told import rules_in_words

_SHOWN_OPEN, _SHOWN_PLAYING, _SHOWN_FINISHED = 30, 20, 5

Status = Game.Status


def tables() -> dict[str, Any]:
    """What everybody sees of the public tables."""
    public = with_seats(Game.objects.filter(public=True)).select_related("host")
    opened = public.filter(status=Status.OPEN).order_by("-created_at")[:_SHOWN_OPEN]
    playing = public.filter(status=Status.PLAYING).order_by("-created_at")[:_SHOWN_PLAYING]
    finished = public.filter(status=Status.FINISHED).order_by("-finished_at")[:_SHOWN_FINISHED]
    return {
        "open_tables": [card(game) for game in opened],
        "playing": [card(game) for game in playing],
        "finished": [card(game) for game in finished],
    }


def my_games(user: Any) -> list[dict[str, Any]]:
    """The person's own tables that are open or playing."""
    if not user.is_authenticated:
        return []
    live = Game.objects.filter(seat__user=user, seat__live=True, seat__gone=False)
    return [card(game) for game in with_seats(live).select_related("host").order_by("-created_at")]


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games that carry their seats, with one query for all of them."""
    seats = Seat.objects.select_related("user").order_by("number")
    return games.prefetch_related(Prefetch("seat_set", queryset=seats, to_attr="taken"))


def card(game: Any) -> dict[str, Any]:
    """One table in a list."""
    rules = rules_in_words(game)
    names = [seat.name for seat in game.taken]
    winner = next((seat.name for seat in game.taken if seat.place == 1), None)
    return {
        "game": game,
        "code": game.code,
        "host": game.host.shown_name,
        "seats": names + [None] * (game.size - len(names)),
        "bots": sum(1 for seat in game.taken if seat.bot),
        "taken": len(names),
        "size": game.size,
        "rules": rules,
        "calza": rules["calza"],
        "lost_dice_visible": rules["lost_dice_visible"],
        "pace": words.pace(game.turn_seconds),
        "winner": winner,
    }
