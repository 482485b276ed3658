"""Compensation for downtime: players get the lost time back, one game after the other."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction

from games.errors import Refused
from games.models import Game
from games.play import commands, presence, waiting_tables
from games.play.jobs import failing_alone

logger = logging.getLogger(__name__)


class Owed:
    """Lost time of one or several downtimes that this process still has to give back.

    A step is removed once the database has confirmed it; a failed step stays owed in full.
    """

    def __init__(self) -> None:
        self._to_all: timedelta | None = None
        self._to_games: dict[str, timedelta] = {}

    def __bool__(self) -> bool:
        return self._to_all is not None or bool(self._to_games)

    def add(self, lost: timedelta) -> None:
        """Add the length of a downtime; negative: the system clock was put back by that much."""
        self._to_all = (self._to_all or timedelta()) + lost

    def give_back(self, *, now: datetime) -> None:
        """Do one step: first everything but running games, then one running game per step.

        Each step is one transaction. If it raises OperationalError or InterfaceError, call again.
        """
        if self._to_all is not None:
            self._begin(self._to_all, now=now)
            self._to_all = None
        elif self._to_games:
            code, lost = next(iter(self._to_games.items()))
            _give_back(code, lost=lost, now=now)
            del self._to_games[code]

    def _begin(self, lost: timedelta, *, now: datetime) -> None:
        with transaction.atomic():
            waiting_tables.give_back(lost=lost, now=now)
            presence.give_back(lost=lost)
            running = Game.objects.filter(status=Game.Status.PLAYING).order_by("due_at")
            codes = list(running.values_list("code", flat=True))
        for code in codes:
            self._to_games[code] = self._to_games.get(code, timedelta()) + lost


def _give_back(code: str, *, lost: timedelta, now: datetime) -> None:
    with (
        failing_alone(logger, "giving time back failed game=%s", code),
        suppress(Refused),  # moves of others came first
    ):
        commands.give_back(code, lost=lost, now=now)
