"""Review finished games that have no review by the present judge: `manage.py review_games`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from time import perf_counter
from typing import Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet
from django.utils import timezone
from tqdm import tqdm

from games import words
from games.models import Game
from games.study.review import reviews

_NICE: Final = 10  # as the worker: everything else on the machine comes first
_AT_ONCE: Final = 100  # games in one query


class Command(BaseCommand):
    help = (
        "Review finished games, the latest first, that have no review or one of another judge. "
        "It says what all of them take once it knows by the first, and may be interrupted: what is "
        "reviewed stays, and it goes on with the rest when it is run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="KEY", help="only games of this kind")
        parser.add_argument(
            "--fitted",
            action="store_true",
            help="instead those whose review is older than the last fit_judge",
        )
        parser.add_argument("--limit", type=int, metavar="N", help="at most so many games")

    def handle(
        self,
        *args: object,
        game: str | None = None,
        fitted: bool = False,
        limit: int | None = None,
        **options: object,
    ) -> None:
        judges = reviews.judges()
        if game is not None and game not in judges:
            raise CommandError(f"There is no judge of “{game}”; there are: {', '.join(judges)}.")
        if limit is not None and limit < 1:
            raise CommandError("The limit is at least 1.")
        os.nice(_NICE)
        self._done = self._failed = 0
        try:
            for kind_key in [game] if game else judges:
                left = None if limit is None else limit - self._done
                missing = reviews.unreviewed().filter(kind_key=kind_key)
                waiting = reviews.made_before_the_fit(kind_key) if fitted else missing
                self._review(waiting, kind_key, left)
        except KeyboardInterrupt:
            self.stdout.write("Interrupted: run it again for the rest.")
        self.stdout.write(f"Games reviewed: {self._done}, of which failed: {self._failed}.")
        if self._failed:
            raise CommandError("Some games could not be reviewed.")

    def _review(self, waiting: QuerySet[Game], kind_key: str, limit: int | None) -> None:
        """Review these games, or so many; each is kept at once. The first tells what all take."""
        count = waiting.count() if limit is None else waiting[:limit].count()
        began = perf_counter()
        games = islice(_latest_first(waiting), count)
        with tqdm(games, total=count, unit=" games", disable=None) as bar:
            for number, game in enumerate(bar, start=1):
                self._review_one(game)
                self._done += 1
                if number == 1:
                    one = perf_counter() - began
                    lasts = words.length(timedelta(seconds=one * count))
                    said = f"{kind_key}, {count} games: one takes {one:.2f} s, all about {lasts}."
                    bar.write(said, file=self.stdout)

    def _review_one(self, game: Game) -> None:
        try:
            reviews.make(game, now=timezone.now())
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            self._failed += 1
            self.stderr.write(f"{game.code}: {type(error).__name__}")


def _latest_first(games: QuerySet[Game]) -> Iterator[Game]:
    """The games by key, read in parts: reviewing them takes hours."""
    below: int | None = None
    while True:
        rest = games if below is None else games.filter(pk__lt=below)
        some = list(rest.order_by("-pk")[:_AT_ONCE])
        yield from some
        if len(some) < _AT_ONCE:
            return
        below = some[-1].pk
