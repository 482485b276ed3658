"""The export of a person's games, for their copy of their data; their list is in `game_list`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from accounts.models import User
from games.contract import catalogue
from games.models import Seat, TableSettings
from games.store.batches import in_batches
from games.study.players.game_list import with_company


def export(person: User) -> dict[str, Iterator[dict[str, Any]]]:
    """All stored data of the person's games, as plain values ready for JSON, read lazily."""
    seats = with_company(Seat.objects.filter(user=person).select_related("game__from_game"))
    rows = seats.prefetch_related(*(kind.stats.export_rows() for kind in catalogue.every()))
    return {"games": map(_export_game, in_batches(rows))}


def _export_game(seat: Seat) -> dict[str, Any]:
    game: Any = seat.game
    return {
        "code": game.code,
        **asdict(TableSettings.of(game)),
        "tried_again": game.from_game and {"game": game.from_game.code, "moment": game.from_moment},
        "status": game.status,
        "opened": _time(game.created_at),
        "started": _time(game.started_at),
        "finished": _time(game.finished_at),
        "host": game.host_id == seat.user_id,
        "players": [each.name for each in game.company],
        "seat": seat.number,
        "place": seat.place,
        "left": seat.left,
        "rounds": catalogue.of(game.kind_key).stats.export_rounds(seat, game.company),
    }


def _time(at: Any) -> str | None:
    return None if at is None else at.isoformat()
