"""An open quick table: who is there, when it begins, and what its viewer may answer."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.requests import AnyUser
from games import words
from games.models import IN_LINE, Game, Search, Seat
from games.rendering.common import milliseconds, rules_in_words
from games.store import queries

State = Search.State


def table(game: Game) -> dict[str, Any]:
    """What everybody sees of an open quick table."""
    seats = {seat.number: seat for seat in game.seat_set.select_related("user")}
    states = dict(_searches(game))
    people = len(seats)
    line = ngettext("%(count)d person is here.", "%(count)d people are here.", people)
    return {
        "seq": game.seq,
        "seats": [_place(number, seats.get(number), states) for number in range(game.size)],
        "line": line % {"count": people} if people > 1 else gettext("Waiting for people."),
        "game_mark": words.game_mark(game.kind_key),
        "rules": rules_in_words(game),
        "pace": words.pace(game.turn_seconds),
        "ends_ms": milliseconds(game.starts_at),
    }


def own(game: Game, number: int | None, *, user: AnyUser) -> dict[str, Any]:
    """What this viewer may answer; `state` is "" for one who is not in line here."""
    states = dict(_searches(game))
    seats = game.seat_set.exclude(user=None).select_related("user")
    asked = [seat.name for seat in seats if states.get(seat.user_id or 0) == State.ASKED]
    mine = None
    if user.is_authenticated:
        mine = Search.objects.filter(pk=user.pk, table=game, state__in=IN_LINE).first()
    return {
        "o": {
            "seq": game.seq,
            "viewer": number,
            "state": mine.state if mine and number is not None else "",
            "bots": mine is None or mine.bots,
            "waits_for": ", ".join(asked),
            "warm_up": _warm_up(user) if mine else "",
        },
        "game": game,
    }


def _searches(game: Game) -> Any:
    return Search.objects.filter(table=game, state__in=IN_LINE).values_list("pk", "state")


def _warm_up(user: AnyUser) -> str:
    """The address of the game against bots that the person plays meanwhile, if there is one."""
    game = queries.pastime(user)
    return reverse("games:table", args=[game.code]) if game else ""


def _place(number: int, seat: Seat | None, states: dict[int, str]) -> dict[str, Any]:
    if seat is None or seat.user is None:
        return {"number": number, "name": None}
    return {
        "number": number,
        "name": seat.name,
        "avatar": seat.avatar,
        "user": seat.user.get_username(),
        "ready": states.get(seat.user_id or 0) == State.READY,
    }
