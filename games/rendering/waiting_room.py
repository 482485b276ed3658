"""An open table: who sits, who may sit, and what the host may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from accounts.requests import AnyUser
from games import catalogue, words
from games.models import Game, Seat
from games.play.tempo import NORMAL
from games.rendering.common import milliseconds, rules_in_words
from games.store import queries


def table(game: Game) -> dict[str, Any]:
    """What everybody sees of an open table."""
    places = _places(game)
    return {
        "game": game,
        "seq": game.seq,
        "seats": places,
        "free": sum(1 for place in places if place["name"] is None),
        "game_mark": words.game_mark(game.kind_key),
        "rules": rules_in_words(game),
        "pace": _pace(game),
        "begins_ms": milliseconds(queries.begins_at(game)),
        "closes_ms": game.due_at and int(game.due_at.timestamp() * 1000),
    }


def _pace(game: Game) -> str:
    """How long a turn may last, and the tempo where it is not the usual one."""
    tempo = "" if game.tempo == NORMAL else words.tempo(game.tempo)
    return " · ".join(filter(None, (tempo, words.pace(game.turn_seconds))))


def own(game: Game, number: int | None, *, user: AnyUser) -> dict[str, Any]:
    """What this viewer may do at an open table."""
    kind = catalogue.of(game.kind_key)
    places = _places(game)
    taken = [place for place in places if place["name"] is not None]
    is_host = user.is_authenticated and user.pk == game.host_id
    acts = number is not None and user.pk == game.acting_host_id
    starts = is_host or acts or (number is not None and game.standing_id is not None)
    outside = number is None and len(taken) < game.size
    is_removed = outside and game.removed.filter(pk=user.pk).exists()
    is_blocked = outside and queries.is_kept_away(game, user)
    kept = queries.kept_for(game) if outside else set()
    free = game.size - len(taken)
    is_kept = not is_removed and user.pk not in kept and 0 < free <= len(kept)
    own = {
        "seq": game.seq,
        "viewer": number,
        "seated": number is not None,
        "is_host": is_host,
        "signed_in": user.is_authenticated,
        "can_sit": outside and not (is_removed or is_kept or is_blocked),
        "is_full": number is None and free == 0,
        # Why a visitor may not sit although a seat is free.
        "why_not": _why_not(removed=is_removed, blocked=is_blocked, kept=is_kept),
        "acts_for_host": acts,
        "least": kind.rules.SEATS.start,
        "can_start": starts and len(taken) in kind.rules.SEATS,
        "seats": places,
        "bots": [(bot, kind.words.bot(bot)) for bot in kind.bots],
        "characters": [
            each
            for each in _characters(kind, {place["key"] for place in taken})
            if is_host or each["here"]
        ],
        "invites": number is not None and free > 0 and user.is_authenticated and not user.is_guest,
        "can_leave": number is not None and (not is_host or _people(taken) > 1),
        "host": next((place["name"] for place in taken if place["host"]), ""),
    }
    return {"o": own, "game": game}


def _characters(kind: catalogue.GameKind, here: Collection[str]) -> list[dict[str, Any]]:
    """The characters of the game in its order; `here` are the bots at the table."""
    if kind.character_words is None:
        return []
    return [
        {
            "key": key,
            "name": each.name,
            "avatar": each.avatar,
            "level": kind.words.bot(key),
            "line": kind.character_words.line(key),
            "here": key in here,
        }
        for key, each in kind.characters.items()
    ]


def _why_not(**reasons: bool) -> str:
    """The sentence for the first of these that is so, by the codes of refusals."""
    found = next((code for code in ("removed", "blocked", "kept") if reasons[code]), "")
    code = "seats_kept" if found == "kept" else found
    return str(words.SITE[code]) if code else ""


def _people(taken: list[dict[str, Any]]) -> int:
    return sum(not place["is_bot"] for place in taken)


def _places(game: Game) -> list[dict[str, Any]]:
    seats = {seat.number: seat for seat in game.seat_set.select_related("user")}
    return [_place(number, seats.get(number), game) for number in range(game.size)]


def _place(number: int, seat: Seat | None, game: Game) -> dict[str, Any]:
    if seat is None:
        return {
            **{"number": number, "name": None, "user": None, "is_bot": False, "host": False},
            "key": "",
        }
    return {
        "number": number,
        "name": seat.name,
        "avatar": seat.avatar,
        "key": seat.bot,
        "user": seat.user and seat.user.get_username(),
        "is_bot": bool(seat.bot),
        "bot": seat.bot and catalogue.of(game.kind_key).words.bot(seat.bot),
        "host": seat.user_id is not None and seat.user_id == game.host_id,
    }
