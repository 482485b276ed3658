"""Closing a table at any time, for everyone and without a result: by staff, or to end a warm-up."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from games.models import Game, Seat
from games.play import announce

Status = Game.Status


def close(code: str, *, by_staff: bool = True) -> bool:
    """Close a table for everybody, before or during the game; False if it was already over.

    Nobody wins and nothing is counted. No fact is written, and hidden facts stay hidden. A
    concurrent move either commits first or fails on its optimistic lock.
    """
    with transaction.atomic():
        live = Game.objects.filter(code=code, status__in=(Status.OPEN, Status.PLAYING))
        times = ("opens_at", "turn_ends_at", "silence_ends_at", "due_at")
        empty: dict[str, object] = {"holder": "", "paused_at": None, "closed_by_staff": by_staff}
        empty |= dict.fromkeys(times)
        if not live.update(status=Status.CLOSED, seq=F("seq") + 1, **empty):
            return False
        Seat.objects.filter(game__code=code).update(live=False)
        game = Game.objects.get(code=code)
        game.removed.clear()
        announce.game_changed(code, game.seq)
        announce.lobby_changed()
    return True
