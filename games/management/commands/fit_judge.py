"""Fit the judge of reviews to how people here play: `manage.py fit_judge`."""

from __future__ import annotations

import os
from itertools import islice
from typing import Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from games.study.review import habits

_NICE: Final = 10  # as the worker: everything else on the machine comes first


class Command(BaseCommand):
    help = (
        "Fit the judge of reviews to how people play here, by their latest finished games. Reviews "
        "that are made from now on judge people by it; those that are there stay as they are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="KEY", help="only games of this kind")

    def handle(self, *args: object, game: str | None = None, **options: object) -> None:
        fittings = habits.fittings()
        if game is not None and game not in fittings:
            raise CommandError(
                f"No judge of “{game}” can be fitted; those of these can: {', '.join(fittings)}."
            )
        os.nice(_NICE)
        for kind_key in [game] if game else fittings:
            self._fit(kind_key)

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
