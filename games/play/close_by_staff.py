"""Closing a table at any time, for everyone, without a result: by staff, or a warm-up."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F

from games.models import Game, Seat
from games.play import announce

Status = Game.Status


def close(code: str, *, by_staff: bool = True) -> bool:
    """End a table for everybody, before the start or in mid-game; False: it was over already.

    Nobody wins and nothing is counted. No fact is written, and hidden facts stay hidden. A move
    made at the same time fails under its optimistic lock, or comes first.
    """
    with transaction.atomic():
        live = Game.objects.filter(code=code, status__in=(Status.OPEN, Status.PLAYING))
        times = ("opens_at", "turn_ends_at", "silence_ends_at", "due_at")
        empty: dict[str, Any] = {"holder": "", "paused_at": None, "closed_by_staff": by_staff}
        empty |= dict.fromkeys(times)
        if not live.update(status=Status.CLOSED, seq=F("seq") + 1, **empty):
            return False
        Seat.objects.filter(game__code=code).update(live=False)
        game = Game.objects.get(code=code)
        game.removed.clear()
        announce.game_changed(code, game.seq)
        announce.lobby_changed()
    return True
