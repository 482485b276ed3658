"""How strong a game's bots are: one hero against a table of others, each seat in turn, seeded."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path

from tests.support.bot_games import (
    Match,
    Score,
    bots_of,
    measured,
    options_of,
    play_games,
    rules_of,
)

ROOT = Path(__file__).resolve().parent.parent
CHUNK = 50  # games a worker takes at a time
GAMES = sorted(path.parent.name for path in ROOT.glob("games/*/rules"))
STANDARD_SEATS = {"perudo": (2, 4, 6)}  # what docs/bots.md shows, where not the following
SEATS = (4, 5, 6, 8)


def play_match(match: Match, *, workers: int) -> Score:
    """The score of a match; it does not depend on the number of workers, but for the time."""
    chunks = [
        range(first, min(first + CHUNK, match.games)) for first in range(0, match.games, CHUNK)
    ]
    if workers == 1:
        return sum(map(partial(play_games, match), chunks), Score())
    with Pool(workers) as pool:
        return sum(pool.map(partial(play_games, match), chunks, chunksize=1), Score())


def standard(game: str) -> list[tuple[str, str, tuple[int, ...]]]:
    """What docs/bots.md shows: each kind against the one below it, and the best against the
    weakest.
    """
    ladder = list(bots_of(game))
    seats = STANDARD_SEATS.get(game, SEATS)
    steps = [(better, worse, seats) for worse, better in pairwise(ladder)]
    return [*reversed(steps), (ladder[-1], ladder[0], seats)]


def report(match: Match, score: Score) -> str:
    times = (score.rate - 1.96 * score.error) / score.fair_rate
    return (
        f"{match.hero:>8} v {match.field:<8}  {match.seats} seats  {score.games:6d} games"
        f"  wins {score.rate:.3f} ± {score.error:.3f}  (an equal bot {score.fair_rate:.3f};"
        f" {score.rate / score.fair_rate:.2f} times, 95 % above {times:.2f})"
        f"  {1000 * score.seconds / score.decisions:.3f} ms a decision,"
        f" {score.longest} moves at most"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="Without --hero it plays the table of docs/bots.md."
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--hero", help="a kind of bot")
    parser.add_argument("--field", help="a kind of bot; without it the second of the game")
    parser.add_argument("--seats", type=int, nargs="+")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--preset", help="instead of the site's own options")
    parser.add_argument("--set", nargs="+", default=[], metavar="SETTING=VALUE", dest="changes")
    given = parser.parse_args(arguments)
    kinds, sizes = list(measured(given.game)), rules_of(given.game).SEATS
    for name, kind in (("--hero", given.hero), ("--field", given.field)):
        if kind is not None and kind not in kinds:
            parser.error(f"{name} is one of {', '.join(kinds)}")
    if not set(given.seats or ()) <= set(sizes):
        parser.error(f"--seats are {sizes.start} to {sizes.stop - 1}")
    try:
        options = options_of(given.game, given.preset, given.changes)
    except ValueError as error:
        parser.error(str(error))
    lines = standard(given.game)
    if given.hero:
        lines = [(given.hero, given.field or kinds[1], lines[0][2])]
    for hero, field, seats in lines:
        for count in given.seats or seats:
            match = Match(given.game, hero, field, count, given.games, given.seed, options)
            print(report(match, play_match(match, workers=given.workers)), flush=True)


if __name__ == "__main__":
    main()
