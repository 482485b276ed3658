"""The lobby's lists: open tables, running ones, the latest results."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from games import catalogue, words
from games.models import Game, Seat
from games.rendering.common import rules_in_words
from games.store import event_log

_SHOWN_OPEN, _SHOWN_PLAYING, _SHOWN_FINISHED = 30, 20, 5
# Finished games are many: among so many of the newest the ones to show are looked for.
_LATEST = 200

Status = Game.Status


def tables(game_key: str = "") -> dict[str, Any]:
    """What everybody sees of the public tables: open ones, and games of two people or more.

    `game_key`: those of one game; "" for all.
    """
    public = with_seats(Game.objects.filter(public=True)).select_related("host")
    if game_key:
        public = public.filter(rules=game_key)
    opened = public.filter(status=Status.OPEN).order_by("-created_at")[:_SHOWN_OPEN]
    among_people = public.filter(_is_among_people())
    running = event_log.with_round(among_people.filter(status=Status.PLAYING))
    playing = [card(game) for game in running.order_by("-created_at")[:_SHOWN_PLAYING]]
    latest = Game.objects.filter(public=True, status=Status.FINISHED).order_by("-finished_at")
    newest = among_people.filter(pk__in=latest.values("pk")[:_LATEST])
    finished = newest.order_by("-finished_at")[:_SHOWN_FINISHED]
    # Where people wait others join sooner: tables of bots come last.
    waiting = sorted((card(game) for game in opened), key=lambda each: -each["people"])
    return {
        "open_tables": waiting,
        "people_waiting": sum(each["people"] for each in waiting),
        "playing": playing,
        "people_playing": sum(each["people"] for each in playing),
        "finished": [card(game) for game in finished],
    }


def _is_among_people() -> Exists:
    """Whether somebody besides the host plays who is no bot; the host of a running game plays."""
    people = Seat.objects.filter(game=OuterRef("pk"), bot="")
    return Exists(people.exclude(user=OuterRef("host")))


def my_games(user: Any) -> dict[str, list[dict[str, Any]]]:
    """The person's own tables: `running`, those that wait for a move first, and `waiting` ones."""
    if not user.is_authenticated:
        return {"running": [], "waiting": []}
    live = Game.objects.filter(seat__user=user, seat__live=True, seat__gone=False)
    mine = list(with_seats(live).select_related("host").order_by("-created_at"))
    running = [
        card(game) | {"my_turn": _waits_for(game, user), "others": _others(game, user)}
        for game in mine
        if game.status == Status.PLAYING
    ]
    return {
        "running": sorted(running, key=lambda each: not each["my_turn"]),
        "waiting": [card(game) for game in mine if game.status == Status.OPEN],
    }


def _waits_for(game: Any, user: Any) -> bool:
    """Whether a running game goes no further before this person has moved."""
    rules, state = catalogue.of(game.rules).rules, event_log.public_state(game)
    number = next(seat.number for seat in game.taken if seat.user_id == user.pk)
    acting = rules.to_act(state)
    match rules.phase(state):
        case "turn":
            return acting[:1] == (number,)
        case "reveal":
            return number in acting
    return False


def _others(game: Any, user: Any) -> str:
    """The names of the others at the table."""
    return ", ".join(seat.name for seat in game.taken if seat.user_id != user.pk)


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games that carry their seats, with one query for all of them."""
    seats = Seat.objects.select_related("user").order_by("number")
    return games.prefetch_related(Prefetch("seat_set", queryset=seats, to_attr="taken"))


def card(game: Any) -> dict[str, Any]:
    """One table in a list; a seat is None while it is free."""
    taken = [{"name": seat.name, "avatar": seat.avatar} for seat in game.taken]
    bots = sum(1 for seat in game.taken if seat.bot)
    winners = (shown for seat, shown in zip(game.taken, taken, strict=True) if seat.place == 1)
    return {
        "game": game,
        "code": game.code,
        "host": game.host.shown_name,
        "seats": taken + [None] * (game.size - len(taken)),
        "bots": bots,
        "people": len(taken) - bots,
        "taken": len(taken),
        "size": game.size,
        "game_mark": words.game_mark(game.rules),
        "rules": rules_in_words(game),
        "pace": words.pace(game.turn_seconds),
        "round": event_log.round_of(game),
        "winner": next(winners, None),
    }
