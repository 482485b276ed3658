"""The page of a standing table: who is there, who played last, and the rules."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from accounts.requests import AnyUser
from games import words
from games.contract import catalogue
from games.models import Game, Seat, StandingTable
from games.models.ponchos import dressed
from games.play import standing_games
from games.store import here, queries

Status = Game.Status


def shown(table: StandingTable, user: AnyUser, *, now: datetime) -> dict[str, Any]:
    """The context of `games/standing.html` for this reader.

    `state` is "empty" (nobody waits or plays), "open", "full" or "playing"; `seat` is whether the
    reader has a seat; `last` is the previous game, None if there was none.
    """
    game = standing_games.current(table)
    on = None if game is None or game.status == Status.FINISHED else game
    seats = [] if on is None else dressed(on.seat_set.select_related("user"))
    present = _here(on, seats, user, now)
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
        "seats": [_seat(seat, is_away=not seat.bot and seat not in present) for seat in seats],
        "blocked_here": standing_games.blocked_by(user, table, game),
        "free": 0 if on is None else on.size - len(seats),
        "last": _last(table, user),
        "kind_key": rules.kind_key,
        "SITE_NAME": words.site_name(rules.kind_key),
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


def _here(game: Game | None, seats: list[Seat], reader: AnyUser, now: datetime) -> list[Seat]:
    if game is None:
        return []
    game.taken = seats
    return here.people(game, now=now, reader=reader.pk)


def _seat(seat: Seat, *, is_away: bool) -> dict[str, object]:
    return {"name": seat.name, "avatar": seat.avatar, "number": seat.number, "is_away": is_away}


def _last(table: StandingTable, user: AnyUser) -> dict[str, object] | None:
    game = standing_games.last_finished(table)
    if game is None:
        return None
    seats = list(game.seat_set.select_related("user"))
    # Only its players may see a private game; other people may have the link of the table.
    may_see = queries.is_open_to(game, user)
    return {
        "names": [seat.name for seat in seats if not seat.bot],
        "winners": [seat.name for seat in seats if seat.place == 1],
        "at": game.finished_at,
        "code": game.code if may_see else "",
    }
