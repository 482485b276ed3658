"""Whether every game ends: many seeded games between bots, counted in a file that can be resumed.

    python -m lab.endings peco_peco --games 20000 --file /tmp/endings.jsonl

Each number of seats plays games 0, 1, 2... with every pair of kinds of bots in turn, one in a seat
that moves on and the other in the rest. Every 50 games are a line of the file; started again with
the same file, the command plays what is missing. Lines of other rules or bots do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from lab.tournament import CHUNK, GAMES
from tests.support import bot_games
from tests.support.bot_games import STUCK, Match, bots_of, options_of

ROOT = Path(__file__).resolve().parent.parent


class Part(NamedTuple):
    """The games `first` up to CHUNK later at a table of so many seats."""

    seats: int
    first: int


def sources(game: str) -> str:
    """A digest of the code that decides how games go: of the core, the rules and the bots."""
    files = [
        path
        for folder in ("core", f"{game}/rules", f"{game}/bots")
        for path in (ROOT / "games" / folder).glob("*.py")
    ]
    digest = sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def play_part(game: str, kinds: Sequence[str], options: Any, seed: int, part: Part) -> list[int]:
    """The number of moves of each game; 0 for one that does not end."""
    pairs = list(product(kinds, repeat=2))
    moves = []
    for number in range(part.first, part.first + CHUNK):
        hero, field = pairs[number % len(pairs)]
        match = Match(game, hero, field, part.seats, 1, seed, options)
        try:
            moves.append(bot_games.play_game(match, number).longest)
        except bot_games.DoesNotEnd:
            moves.append(0)
    return moves


def finished(path: Path, run: dict[str, Any]) -> dict[Part, list[int]]:
    """The parts of this run that the file holds; a line that a crash cut short is none."""
    parts: dict[Part, list[int]] = {}
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if data["run"] == run:
            parts[Part(data["seats"], data["first"])] = data["moves"]
    return parts


def play_missing(
    path: Path, run: dict[str, Any], missing: Sequence[Part], options: Any, *, workers: int
) -> Iterator[Part]:
    """Play these parts and write each to the file as soon as it is played."""
    play = partial(_numbered, run["game"], run["bots"], options, run["seed"])
    with path.open("a") as file, Pool(workers) as pool:
        file.write("\n" * (path.stat().st_size > 0))  # after a line that was cut short
        for part, moves in pool.imap_unordered(play, missing):
            line = {"run": run, "seats": part.seats, "first": part.first, "moves": moves}
            file.write(json.dumps(line) + "\n")
            file.flush()
            yield part


def _numbered(
    game: str, kinds: Sequence[str], options: Any, seed: int, part: Part
) -> tuple[Part, list[int]]:
    return part, play_part(game, kinds, options, seed, part)


def report(seats: int, moves: Iterable[int]) -> str:
    games = list(moves)
    ended = [count for count in games if count]
    cuts = quantiles(ended, n=100) if len(ended) > 1 else [*ended, 0] * 50
    return (
        f"{seats} seats  {len(games):6d} games  {len(games) - len(ended)} stuck"
        f"  moves: median {cuts[49]:.0f}, 90 % {cuts[89]:.0f}, 99 % {cuts[98]:.0f},"
        f" longest {max(ended, default=0)}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seats", type=int, nargs="+", help="without it every number of the game")
    parser.add_argument("--games", type=int, default=20_000, help="at each number of seats")
    parser.add_argument("--bots", nargs="+", help="kinds of bots; without it all")
    parser.add_argument("--preset", help="instead of the site's own options")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--file", type=Path, required=True, help="what was played, to resume it")
    given = parser.parse_args(arguments)
    kinds = given.bots or list(bots_of(given.game))
    if not set(kinds) <= set(bots_of(given.game)):
        parser.error(f"--bots are {', '.join(bots_of(given.game))}")
    sizes = bot_games.rules_of(given.game).SEATS
    if not set(given.seats or ()) <= set(sizes):
        parser.error(f"--seats are {sizes.start} to {sizes.stop - 1}")
    options = options_of(given.game, given.preset)
    run = {"game": given.game, "bots": kinds, "preset": given.preset, "seed": given.seed}
    run["sources"] = sources(given.game)
    wanted = [
        Part(seats, first)
        for first in range(0, given.games, CHUNK)
        for seats in given.seats or sizes
    ]
    missing = [part for part in wanted if part not in finished(given.file, run)]
    started = time.monotonic()
    for count, _ in enumerate(
        play_missing(given.file, run, missing, options, workers=given.workers), start=1
    ):
        if sys.stderr.isatty() or count % 100 == 0 or count == len(missing):
            speed = count * CHUNK / (time.monotonic() - started)
            left = (len(missing) - count) * CHUNK / speed
            print(f"{speed:.1f} games/s, {left / 60:.0f} minutes left", file=sys.stderr)
    played = finished(given.file, run)
    for seats in given.seats or sizes:
        counts = [n for part in wanted if part.seats == seats for n in played[part]]
        print(report(seats, counts))
    if stuck := sum(not count for part in wanted for count in played[part]):
        raise SystemExit(f"{stuck} games did not end within {STUCK} moves")


if __name__ == "__main__":
    main()
