"""How strong the bots are: one hero against a table of others, each seat in turn, seeded."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import fold  # noqa: E402
from games.perudo import rules  # noqa: E402
from games.perudo.bots import BOTS, Bot  # noqa: E402
from games.perudo.rules.options import SITE_OPTIONS, Options  # noqa: E402
from games.perudo.rules.state import State  # noqa: E402

CHUNK = 50  # games a worker takes at a time


@dataclass(frozen=True, slots=True)
class Match:
    """One hero and, in all other seats, bots of the field; `seed` fixes every game of it."""

    hero: str
    field: str
    seats: int
    games: int
    seed: int = 1
    options: Options = SITE_OPTIONS


@dataclass(frozen=True, slots=True)
class Score:
    """Games, wins and decisions of the hero, and the CPU seconds it took to decide."""

    games: int = 0
    won: int = 0
    decisions: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.won / self.games

    @property
    def error(self) -> float:
        """The standard error of the rate."""
        return sqrt(self.rate * (1 - self.rate) / self.games)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.games + other.games,
            self.won + other.won,
            self.decisions + other.decisions,
            self.seconds + other.seconds,
        )


# What docs/bots.md shows.
STANDARD = (
    ("sharp", "steady", (2, 4, 6)),
    ("steady", "beginner", (2, 4, 6)),
    ("sharp", "beginner", (2, 4, 6)),
)


def seen_by(state: State, seat: int) -> State:
    """The state as this seat was told it: the other hands are sealed."""
    hands = tuple(hand if other == seat else None for other, hand in enumerate(state.hands))
    return replace(state, hands=hands)


def play_game(match: Match, number: int) -> Score:
    """The game of this number, with the hero one seat further to the left each time."""
    chance = SeededChance(f"{match.seed}/{number}")
    hero = number % match.seats
    bots: list[Bot] = [BOTS[match.field]] * match.seats
    bots[hero] = BOTS[match.hero]
    decisions, seconds = 0, 0.0
    state: State = fold(rules, rules.start(match.seats, match.options, chance))
    while state.phase != "over":
        moves = rules.due_moves(state)
        if state.phase == "turn":
            on_turn, *others = rules.to_act(state)
            for seat in (*others, on_turn):  # calza may be called before the turn is played
                started = time.process_time()
                move = bots[seat](seen_by(state, seat), seat, chance)
                if seat == hero:
                    decisions, seconds = decisions + 1, seconds + time.process_time() - started
                if move is not None:
                    moves = [(seat, move)]
                    break
        for seat, move in moves:
            state = fold(rules, rules.decide(state, seat, move, chance), state)
    outcome = rules.outcome(state)
    won = outcome is not None and outcome.winners == (hero,)
    return Score(1, int(won), decisions, seconds)


def play_games(match: Match, numbers: Iterable[int]) -> Score:
    return sum((play_game(match, number) for number in numbers), Score())


def play_match(match: Match, *, workers: int) -> Score:
    """The score of a match; it does not depend on the number of workers, but for the time."""
    chunks = [
        range(first, min(first + CHUNK, match.games)) for first in range(0, match.games, CHUNK)
    ]
    with Pool(workers) as pool:
        return sum(pool.map(partial(play_games, match), chunks, chunksize=1), Score())


def report(match: Match, score: Score) -> str:
    return (
        f"{match.hero:>8} v {match.field:<8}  {match.seats} seats  {score.games:6d} games"
        f"  wins {score.rate:.3f} ± {score.error:.3f}  (an equal bot {1 / match.seats:.3f})"
        f"  {1000 * score.seconds / score.decisions:.3f} ms a decision"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="Without --hero it plays the table of docs/bots.md."
    )
    bots = sorted(BOTS)
    parser.add_argument("--hero", choices=bots)
    parser.add_argument("--field", choices=bots, default="steady")
    parser.add_argument("--seats", type=int, choices=rules.SEATS, default=6)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--calza", action="store_true", help="play with calza")
    given = parser.parse_args(arguments)
    options = replace(SITE_OPTIONS, calza="on") if given.calza else SITE_OPTIONS
    lines = [(given.hero, given.field, (given.seats,))] if given.hero else STANDARD
    for hero, field, sizes in lines:
        for seats in sizes:
            match = Match(hero, field, seats, given.games, given.seed, options)
            print(report(match, play_match(match, workers=given.workers)), flush=True)


if __name__ == "__main__":
    main()
