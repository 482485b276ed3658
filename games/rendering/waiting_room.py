"""An open table: who sits, who may sit, and what the host may do."""

from __future__ import annotations

from typing import Any

from games import catalogue, words
from games.models import Game, Seat
from games.play.tempo import NORMAL
from games.rendering.common import rules_in_words
from games.store import queries


def table(game: Game) -> dict[str, Any]:
    """What everybody sees of an open table."""
    places = _places(game)
    return {
        "game": game,
        "seq": game.seq,
        "seats": places,
        "free": sum(1 for place in places if place["name"] is None),
        "game_mark": words.game_mark(game.rules),
        "rules": rules_in_words(game),
        "pace": _pace(game),
        "closes_ms": game.due_at and int(game.due_at.timestamp() * 1000),
    }


def _pace(game: Game) -> str:
    """How long a turn may last, and the tempo where it is not the usual one."""
    tempo = "" if game.tempo == NORMAL else words.tempo(game.tempo)
    return " · ".join(filter(None, (tempo, words.pace(game.turn_seconds))))


def own(game: Game, number: int | None, *, user: Any) -> dict[str, Any]:
    """What this viewer may do at an open table."""
    played = catalogue.of(game.rules)
    places = _places(game)
    taken = [place for place in places if place["name"] is not None]
    is_host = user.is_authenticated and user.pk == game.host_id
    acts = number is not None and user.pk == game.acting_host_id
    outside = number is None and len(taken) < game.size
    is_removed = outside and game.removed.filter(pk=user.pk).exists()
    kept = queries.kept_for(game) if outside else set()
    free = game.size - len(taken)
    is_kept = not is_removed and user.pk not in kept and 0 < free <= len(kept)
    own = {
        "seq": game.seq,
        "viewer": number,
        "seated": number is not None,
        "is_host": is_host,
        "signed_in": user.is_authenticated,
        "can_sit": outside and not (is_removed or is_kept),
        # Why a visitor may not sit although a seat is free.
        "why_not": words.SITE["removed" if is_removed else "seats_kept"]
        if is_removed or is_kept
        else "",
        "acts_for_host": acts,
        "least": played.rules.SEATS.start,
        "can_start": (is_host or acts) and len(taken) in played.rules.SEATS,
        "seats": places,
        "bots": [(kind, played.words.bot(kind)) for kind in played.bots],
        "host": next((place["name"] for place in taken if place["host"]), ""),
    }
    return {"o": own, "game": game}


def _places(game: Game) -> list[dict[str, Any]]:
    seats = {seat.number: seat for seat in game.seat_set.select_related("user")}
    return [_place(number, seats.get(number), game) for number in range(game.size)]


def _place(number: int, seat: Seat | None, game: Game) -> dict[str, Any]:
    if seat is None:
        return {"number": number, "name": None, "user": None, "is_bot": False, "host": False}
    return {
        "number": number,
        "name": seat.name,
        "avatar": seat.avatar,
        "user": seat.user and seat.user.get_username(),
        "is_bot": bool(seat.bot),
        "bot": seat.bot and catalogue.of(game.rules).words.bot(seat.bot),
        "host": seat.user_id is not None and seat.user_id == game.host_id,
    }
