"""Fit the judge of reviews to how people here play: `manage.py fit_judge`."""

from __future__ import annotations

import os
from itertools import islice
from typing import Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from games.study.review import habits, reviews
from games.study.review.calibration import tables

_NICE: Final = 10  # as the worker: everything else on the machine comes first
_GAMES_CALIBRATED: Final = 500  # each takes about a quarter of a second


class Command(BaseCommand):
    help = (
        "Fit the judge of reviews to how people play here, by their latest finished games. Reviews "
        "that are made from now on judge people by it; those that are there stay as they are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="KEY", help="only games of this kind")
        parser.add_argument(
            "--calibration",
            action="store_true",
            help=(
                "fit nothing; print how likely the judge says that people's moves are right or "
                "true in finished games, and how often they are"
            ),
        )
        parser.add_argument(
            "--limit",
            metavar="GAMES",
            type=int,
            default=_GAMES_CALIBRATED,
            help="the latest games that --calibration reads (default: %(default)s)",
        )

    def handle(
        self,
        *args: object,
        game: str | None = None,
        calibration: bool = False,
        limit: int = _GAMES_CALIBRATED,
        **options: object,
    ) -> None:
        fittings = habits.fittings()
        if game is not None and game not in fittings:
            raise CommandError(
                f"No judge of “{game}” can be fitted; those of these can: {', '.join(fittings)}."
            )
        os.nice(_NICE)
        for kind_key in [game] if game else fittings:
            if calibration:
                self._calibrate(kind_key, limit)
            else:
                self._fit(kind_key)

    def _calibrate(self, kind_key: str, limit: int) -> None:
        found = habits.games_of_people(kind_key)
        count = min(found.count(), limit)
        games = tqdm(
            islice(found.iterator(chunk_size=100), limit),
            total=count,
            unit=" games",
            disable=None,
        )
        fitting = habits.fittings()[kind_key]
        said = [each for one in games for each in fitting.said(reviews.log_of(one))]
        version = (habits.latest(kind_key) or {}).get("version", 0)
        self.stdout.write(f"{kind_key}: {count} games of people, judged by version {version}.")
        for line in tables(said):
            self.stdout.write(line)

    def _fit(self, kind_key: str) -> None:
        found = habits.games_of_people(kind_key)
        count = found.count()
        if count < habits.FEWEST_GAMES:
            self.stdout.write(
                f"{kind_key}: {count} games of people, of {habits.FEWEST_GAMES} that it takes. "
                "Nothing is changed."
            )
            return
        latest = islice(found.iterator(chunk_size=100), habits.MOST_GAMES)
        games = tqdm(latest, total=min(count, habits.MOST_GAMES), unit=" games", disable=None)
        kept = habits.fit(kind_key, games, now=timezone.now())
        self.stdout.write(
            f"{kind_key}: version {kept.version}, by {kept.content['decisions']} decisions in "
            f"{kept.games} games."
        )
