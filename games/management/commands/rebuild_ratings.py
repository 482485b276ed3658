"""Count all rated games again: `manage.py rebuild_ratings`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from games.contract import catalogue
from games.models import Rating
from games.play.ratings import correcting

Step = TypeVar("Step")


class Command(BaseCommand):
    help = (
        "Count all rated games again, in their order. Ratings stay as they are unless the scale "
        "has changed or something was wrong; games that end meanwhile are counted after it. If it "
        "is interrupted, the site goes on with it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="KEY", help="only games of this kind")
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing, and fail if a rating is not what its games say",
        )

    def handle(
        self, *args: object, game: str | None = None, check: bool = False, **options: object
    ) -> None:
        rated = [kind.key for kind in catalogue.every() if kind.ratings is not None]
        if game is not None and game not in rated:
            raise CommandError(f"“{game}” has no ratings; these have: {', '.join(rated)}.")
        wrong = 0
        for kind_key in [game] if game else rated:
            count = correcting.games_since(kind_key, 0)
            if check:
                steps = correcting.differences(kind_key)
                for rating in self._with_a_bar(steps, kind_key, count):
                    if rating is not None:
                        wrong += 1
                        said = f"{kind_key}: the rating of user {rating.user_id} differs."
                        self.stdout.write(said)
            else:
                correcting.ask(kind_key, 0, now=timezone.now())
                for _ in self._with_a_bar(correcting.correct(kind_key), kind_key, count):
                    pass
            people = Rating.objects.filter(kind_key=kind_key).count()
            self.stdout.write(f"{kind_key}: {count} games of {people} people counted.")
        if wrong:
            raise CommandError("Ratings differ from what their games say: run it without --check.")

    def _with_a_bar(self, steps: Iterable[Step], kind_key: str, count: int) -> Iterator[Step]:
        """Show the progress, and the time left."""
        yield from tqdm(steps, desc=kind_key, total=count, unit=" games", disable=None)
