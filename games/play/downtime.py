"""Downtime is not charged to players: what it took from them is given back, game by game."""

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
    """The time that this process still has to give back, of one downtime or of several.

    Of whatever the database has confirmed nothing is owed any more, and of what failed all is.
    """

    def __init__(self) -> None:
        self._to_all: timedelta | None = None
        self._to_games: dict[str, timedelta] = {}

    def __bool__(self) -> bool:
        return self._to_all is not None or bool(self._to_games)

    def add(self, lost: timedelta) -> None:
        """The site was down for so long; negative: the system clock was put back by that much."""
        self._to_all = (self._to_all or timedelta()) + lost

    def give_back(self, *, now: datetime) -> None:
        """Do one step: everything but running games at once, then each of these in a transaction.

        OperationalError and InterfaceError are raised: then this step is to be done again.
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
        suppress(Refused),  # somebody plays there already
    ):
        commands.give_back(code, lost=lost, now=now)
