"""Which finished games have yet to be looked through for the marks of their players."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet

from games.models import Game
from games.play import finish

_SET_ASIDE: Final = timedelta(days=1)


def waiting(*, now: datetime, most: int) -> list[Game]:
    """Return games that ended and are due, the longest waiting first."""
    return list(Game.objects.filter(marks_due_at__lte=now).order_by("marks_due_at")[:most])


def behind(kind_key: str, version: int) -> QuerySet[Game]:
    """Return the finished games that count and lack marks of this version."""
    finished = Game.objects.filter(kind_key=kind_key, status=Game.Status.FINISHED)
    finished = finished.filter(marks_version__lt=version)
    return finished.exclude(origin__in=finish.COUNTS_FOR_NOTHING)


def done(game: Game, version: int) -> None:
    """Note that the marks of this version were awarded, in the transaction that awards them."""
    Game.objects.filter(pk=game.pk).update(marks_version=version, marks_due_at=None)


def set_aside(game: Game, *, now: datetime) -> None:
    """Postpone a game that failed by a day."""
    due = Game.objects.filter(pk=game.pk, marks_due_at__isnull=False)
    due.update(marks_due_at=now + _SET_ASIDE)
