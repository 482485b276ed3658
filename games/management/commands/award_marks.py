"""Award the marks of games that ended before there were these marks: `manage.py award_marks`."""

from __future__ import annotations

import os
from datetime import timedelta
from itertools import islice
from time import perf_counter
from typing import Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from tqdm import tqdm

from games import words
from games.contract import catalogue
from games.models import Game
from games.play import marks_due
from games.store.batches import in_batches
from games.study.marks import awards

_NICE: Final = 10  # as the worker: everything else on the machine comes first
_TOLD_AFTER: Final = 20  # games, by which it knows what all take


class Command(BaseCommand):
    help = (
        "Look through finished games, the oldest first, for the marks of their players, where the "
        "present version of marks has not done so. It may be interrupted: what is awarded stays, "
        "and it goes on with the rest when it is run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--limit", type=int, metavar="N", help="at most so many games")

    def handle(self, *args: object, limit: int | None = None, **options: object) -> None:
        if limit is not None and limit < 1:
            raise CommandError("The limit is at least 1.")
        os.nice(_NICE)
        self._done = self._failed = 0
        try:
            for kind in catalogue.every():
                if kind.marks is not None:
                    left = None if limit is None else limit - self._done
                    self._award(marks_due.behind(kind.key, kind.marks.VERSION), kind.key, left)
        except KeyboardInterrupt:
            self.stdout.write("Interrupted: run it again for the rest.")
        self.stdout.write(f"Games looked through: {self._done}, of which failed: {self._failed}.")
        if self._failed:
            raise CommandError("Some games could not be looked through.")

    def _award(self, waiting: QuerySet[Game], kind_key: str, limit: int | None) -> None:
        """Look through these games, or so many; what is found is kept at once."""
        count = waiting.count() if limit is None else waiting[:limit].count()
        began = perf_counter()
        games = islice(in_batches(waiting), count)  # a mark is of the first game that earned it
        with tqdm(games, total=count, unit=" games", disable=None) as bar:
            for number, game in enumerate(bar, start=1):
                self._award_one(game)
                self._done += 1
                if number == min(_TOLD_AFTER, count):
                    one = (perf_counter() - began) / number
                    lasts = words.length(timedelta(seconds=one * count))
                    said = f"{kind_key}, {count} games: one takes {one:.3f} s, all about {lasts}."
                    bar.write(said, file=self.stdout)

    def _award_one(self, game: Game) -> None:
        try:
            awards.award(game)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            self._failed += 1
            self.stderr.write(f"{game.code}: {type(error).__name__}")
