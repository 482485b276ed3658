"""How many of those who press *Play with people* meet somebody, and how many ghosts are seated.

`python -m lab.evening` plays seeded evenings through the services of the site, by a clock of
its own, in a database of its own. People arrive by chance, so many an hour, and press. Who is alone
plays the warm-up, for twelve minutes at most; in an old lobby they would stare at a list for 45
seconds. Asked, they answer within seconds, or have just turned away; some close the page without a
word when they have had enough. A game takes twelve minutes. It prints, for each rate, the share of
those who met a person within ten minutes, the median of their waits, and the ghosts: people who
were gone when a game began with them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

RATES: Final = (2, 6, 20)  # arrivals an hour
IDLE: Final = timedelta(seconds=45)  # the patience of somebody who has nothing to do
PLAYING: Final = timedelta(minutes=12)  # of somebody who plays; and how long a game takes
WITHIN: Final = timedelta(minutes=10)
ANSWERS: Final = 0.9  # of those who are asked; the others do not look just then
SILENTLY: Final = 0.3  # of those who go: they close the page without a word
OPEN: Final = timedelta(seconds=30)  # so often an open page shows that it is open
_START: Final = datetime(2026, 3, 1, 18, 0, tzinfo=UTC)


@dataclass
class Visitor:
    """Somebody who pressed, and what became of it."""

    user: Any
    came_at: datetime
    is_here: bool = True
    met_at: datetime | None = None


@dataclass
class Outcome:
    """One rate: how long those waited who met a person within ten minutes, and the others."""

    arrived: int = 0
    waits: list[timedelta] = field(default_factory=list)
    ghosts: int = 0

    @property
    def share(self) -> float:
        return len(self.waits) / self.arrived if self.arrived else 0.0

    @property
    def median_wait(self) -> float:
        """Seconds; 0 where nobody met anybody."""
        return median(wait.total_seconds() for wait in self.waits) if self.waits else 0.0


class Evening:
    """The events of one evening in their order, and the people in it."""

    def __init__(self, rate: float, *, hours: float, patience: timedelta, seed: int) -> None:
        self.random, self.patience, self.seed = Random(seed), patience, seed  # noqa: S311
        self.end = _START + timedelta(hours=hours)
        self.now = _START
        self.visitors: dict[int, Visitor] = {}
        self.outcome = Outcome()
        self._order = count()
        self._events: list[tuple[datetime, int, str, Any]] = []
        at = _START
        while (at := at + timedelta(hours=self.random.expovariate(rate))) < self.end:
            self._plan(at, "arrive", None)
        minutes = int(hours * 60) + 60
        for minute in range(minutes):
            self._plan(_START + timedelta(minutes=minute), "tidy", None)

    def run(self) -> Outcome:
        """Play it until everybody has gone."""
        while self._events:
            at, _, what, about = heappop(self._events)
            self._end_countdowns(before=at)
            self.now = at
            getattr(self, f"_{what}")(about)
            self._look()
        early = [v for v in self.visitors.values() if v.met_at and v.met_at - v.came_at <= WITHIN]
        self.outcome.arrived = len(self.visitors)
        self.outcome.waits = [v.met_at - v.came_at for v in early if v.met_at]
        return self.outcome

    # --- events

    def _arrive(self, _: None) -> None:
        from accounts.models import User  # Django is set up by now
        from games.lobby.matching import searches

        name = f"visitor-{self.seed}-{len(self.visitors)}"
        user = User.objects.create_user(name, is_guest=True)
        self.visitors[user.pk] = Visitor(user, self.now)
        searches.press(user, holder=name, now=self.now)
        self._plan(self.now + self.patience, "give_up", user.pk)
        self._plan(self.now + OPEN, "show", user.pk)

    def _show(self, key: int) -> None:
        """The page is still open."""
        from games.lobby.matching import head

        if self.visitors[key].is_here:
            head.note_seen(key, now=self.now)
            self._plan(self.now + OPEN, "show", key)

    def _answer(self, key: int) -> None:
        from games.errors import Refused
        from games.lobby.matching import searches

        if self.visitors[key].is_here:
            with suppress(Refused):  # the other has gone again
                searches.answer(self.visitors[key].user, now=self.now)

    def _give_up(self, key: int) -> None:
        from games.lobby.matching import searches

        visitor = self.visitors[key]
        if visitor.met_at is None and visitor.is_here:
            visitor.is_here = False
            if self.random.random() >= SILENTLY:
                searches.leave(visitor.user, stop=True, now=self.now)

    def _finish(self, pk: int) -> None:
        """A game is over, and its people go."""
        from games.core.moves import Leave
        from games.models import Game
        from games.play import commands

        game = Game.objects.get(pk=pk)
        for seat in game.seat_set.exclude(user=None):
            if game.status == Game.Status.PLAYING:
                commands.move(game.code, seat.number, Leave(), seen=None, now=self.now)
                game.refresh_from_db()
            self.visitors[seat.user_id or 0].is_here = False

    def _tidy(self, _: None) -> None:
        from games.lobby.matching import jobs

        jobs.tidy(now=self.now)

    # --- what follows from them

    def _end_countdowns(self, *, before: datetime) -> None:
        from games.lobby.matching import jobs
        from games.models import Game

        counting = Game.objects.filter(origin="quick", status="open", starts_at__lt=before)
        while first := counting.order_by("starts_at").first():
            assert first.starts_at is not None  # noqa: S101
            self.now = first.starts_at
            jobs.end_countdowns(self.now, 0)
            self._look()

    def _look(self) -> None:
        """People see what their pages say: who is asked answers soon, who is seated plays."""
        from games.models import Search

        asked = Search.objects.filter(state="asked", changed_at=self.now)
        for key in asked.values_list("pk", flat=True):
            if self.visitors[key].is_here and self.random.random() < ANSWERS:
                after = timedelta(seconds=self.random.uniform(2, 8))
                self._plan(self.now + after, "answer", key)
        seated = Search.objects.filter(state="seated", changed_at=self.now)
        for search in seated.order_by("pk"):
            visitor = self.visitors[search.pk]
            if visitor.met_at is None:
                visitor.met_at = self.now
                self.outcome.ghosts += not visitor.is_here
                self._plan(self.now + PLAYING, "finish", search.table_id)

    def _plan(self, at: datetime, what: str, about: Any) -> None:
        heappush(self._events, (at, next(self._order), what, about))


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hours", type=float, default=24.0, help="length of an evening")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    with TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DEBUG="true", LOG_LEVEL="ERROR")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        print("| arrivals an hour | patience | people | meet somebody | median wait | ghosts |")
        print("|---|---|---|---|---|---|")
        for number, (rate, patience) in enumerate(
            (rate, patience) for rate in RATES for patience in (IDLE, PLAYING)
        ):
            seed = chosen.seed * 100 + number
            evening = Evening(rate, hours=chosen.hours, patience=patience, seed=seed)
            found = evening.run()
            waits = f"{found.median_wait:.0f} s"
            print(
                f"| {rate} | {patience.total_seconds() / 60:g} min | {found.arrived} "
                f"| {found.share:.0%} | {waits} | {found.ghosts} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
