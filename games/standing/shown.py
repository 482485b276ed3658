"""What the page of a standing table says: who is there, who played last, and by which rules."""

from __future__ import annotations

from typing import Any

from accounts.requests import AnyUser
from games import catalogue, words
from games.models import Game, Seat, StandingTable
from games.play import standing_games
from games.store import queries

Status = Game.Status


def shown(table: StandingTable, user: AnyUser) -> dict[str, Any]:
    """The context of `games/standing.html` for this reader.

    `state`: empty (nobody waits or plays), open, full, or playing; `seat`: whether the reader is
    there; `last`: the game before, None when there was none.
    """
    game = standing_games.current(table)
    on = None if game is None or game.status == Status.FINISHED else game
    seats = [] if on is None else list(on.seat_set.select_related("user"))
    mine = next((seat for seat in seats if user.is_authenticated and seat.user == user), None)
    chosen = standing_games.settings_of(table)
    rules = Game(**chosen.columns()) if on is None else on
    return {
        "standing": table,
        "owner": table.owner.shown_name,
        "is_owner": user.is_authenticated and user.pk == table.owner_id,
        "game": on,
        "state": _state(on, seats),
        "seat": mine is not None and not mine.gone,
        "seats": [_seat(seat) for seat in seats],
        "free": 0 if on is None else on.size - len(seats),
        "last": _last(table, user),
        "kind_key": rules.kind_key,
        "game_name": catalogue.of(rules.kind_key).words.name(),
        "tagline": catalogue.of(rules.kind_key).words.tagline(),
        "rules": catalogue.of(rules.kind_key).words.options(rules),
        "pace": words.pace(rules.turn_seconds),
    }


def _state(game: Game | None, seats: list[Seat]) -> str:
    if game is None:
        return "empty"
    if game.status == Status.PLAYING:
        return "playing"
    return "open" if len(seats) < game.size else "full"


def _seat(seat: Seat) -> dict[str, Any]:
    return {"name": seat.name, "avatar": seat.avatar, "number": seat.number}


def _last(table: StandingTable, user: AnyUser) -> dict[str, Any] | None:
    game = standing_games.last_finished(table)
    if game is None:
        return None
    seats = list(game.seat_set.select_related("user"))
    # A private game is for those who played it: the link of the table may have come to others.
    may_see = queries.is_open_to(game, user)
    return {
        "names": [seat.name for seat in seats if not seat.bot],
        "winners": [seat.name for seat in seats if seat.place == 1],
        "at": game.finished_at,
        "code": game.code if may_see else "",
    }
