"""How long a game of one person and bots lasts, by the site's own deadlines, without waiting.

    python -m lab.length peco_peco --seats 6 7 8 --games 200

The rules and the bots are played as they are; when each move is made follows from `play.deadlines`
under the default settings, half a tick of the scheduler later. The person plays as the stand-in
does, takes a fixed time for a turn and for "Continue", and lets every window pass; with --slow all
the time there is.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from multiprocessing import Pool
from statistics import quantiles
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
os.environ.setdefault("SECRET_KEY", "only-for-measuring-" * 3)
django.setup()

from games.contract import catalogue  # noqa: E402
from games.contract.game_values import RecordedFact  # noqa: E402
from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import fold  # noqa: E402
from games.models import Game, Seat  # noqa: E402
from games.play import deadlines  # noqa: E402
from games.store.event_log import PublicView  # noqa: E402
from tests.support.bot_games import Knowledge  # noqa: E402

PERSON = 0
LATER = timedelta(milliseconds=50)  # more than the scheduler takes to play what is due
BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


class Timed:
    """One game, and the time at which each of its moves is made."""

    def __init__(self, key: str, seats: int, number: int, thinks: timedelta | None) -> None:
        self.game = catalogue.of(key)
        self.rules, self.thinks, self.now = self.game.rules, thinks, BEGAN
        self.chance = SeededChance(f"length/{number}")
        kinds = cycle(self.game.bots)
        self.seats = [Seat(number=n, bot="" if n == PERSON else next(kinds)) for n in range(seats)]
        turn_seconds = deadlines.turn_seconds(key, seats)
        self.row = Game(kind_key=key, size=seats, turn_seconds=turn_seconds, skipping=False)
        options = self.rules.read_options(self.game.forms.QUICK_PLAY["options"])
        self.knowledge = Knowledge(self.rules, seats)
        self.state: Any = None
        self.since: list[RecordedFact] = []
        self._record(self.rules.start(seats, options, self.chance))

    def _record(self, facts: Sequence[Any]) -> None:
        self.knowledge.learn(facts)
        self.state = fold(self.rules, facts, self.state)
        if any(fact.new_deal for fact in facts):
            self.since = []
        self.since += [RecordedFact(0, self.now, fact) for fact in facts if fact.audience is None]
        if not all(fact.aside for fact in facts):
            waiting = self.rules.waiting(self.state)
            known = PublicView(state=self.state, since=tuple(self.since))
            deadlines.set_deadlines(self.row, self.seats, known, waiting, now=self.now)

    def _make(self, seat: int, move: Any) -> None:
        self._record(self.rules.decide(self.state, seat, move, self.chance))

    def _bot(self, seat: int) -> Any:
        kind = self.seats[seat].bot or self.game.stand_in
        return self.game.bots[kind](self.knowledge.of(seat), seat, self.chance)

    def minutes(self) -> float:
        while (waiting := self.rules.waiting(self.state)) is not None:
            by_person = self.now + self.thinks if self.thinks is not None else None
            due, ends = self.row.due_at, self.row.turn_ends_at
            assert due is not None and ends is not None  # noqa: S101
            if waiting.kind == "reveal":
                self.now = min(ends, by_person or ends) + LATER
                for seat, move in self.rules.due_moves(self.state):
                    self._make(seat, move)
            elif due < ends:
                self.now = due + LATER
                self._ask_bots(waiting)
            elif waiting.kind == "turn" and waiting.on_turn is not None:
                is_person = waiting.on_turn == PERSON
                self.now = min(ends, by_person) if is_person and by_person else ends + LATER
                self._make(waiting.on_turn, self._bot(waiting.on_turn))
            else:
                self._end_window(ends)
        return (self.now - BEGAN).total_seconds() / 60

    def _ask_bots(self, waiting: Any) -> None:
        for seat in waiting.may_interrupt:
            if self.seats[seat].bot and (call := self._bot(seat)) is not None:
                return self._make(seat, call)
        if deadlines.may_close(self.row, self.seats, self.state, waiting, now=self.now):
            return self._end_window(self.now)
        self.row.due_at = self.row.turn_ends_at
        return None

    def _end_window(self, now: datetime) -> None:
        self.now = now
        for seat, move in self.rules.due_moves(self.state):
            self._make(seat, move)


def minutes(key: str, seats: int, thinks: timedelta | None, number: int) -> float:
    return Timed(key, seats, number, thinks).minutes()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=[game.key for game in catalogue.every()])
    parser.add_argument("--seats", type=int, nargs="+", help="without it every number of the game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--thinks", type=float, default=5.0, help="seconds of a person's turn")
    parser.add_argument("--slow", action="store_true", help="the person takes all the time")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    given = parser.parse_args(arguments)
    thinks = None if given.slow else timedelta(seconds=given.thinks)
    for seats in given.seats or catalogue.of(given.game).rules.SEATS:
        with Pool(given.workers) as pool:
            play = partial(minutes, given.game, seats, thinks)
            lengths = pool.map(play, range(given.games), chunksize=4)
        cuts = quantiles(lengths, n=10, method="inclusive")
        print(
            f"{seats} seats  {given.games} games  median {cuts[4]:.1f} min,"
            f" 90 % {cuts[8]:.1f} min, longest {max(lengths):.1f} min",
            flush=True,
        )


if __name__ == "__main__":
    main()
