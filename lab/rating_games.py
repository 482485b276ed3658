"""Seeded games at mixed tables for the ratings: who sits where, and who finishes in which place.

A player is a kind of bot (`tests.support.bot_games.measured`), or one that slips: `steady~0.2`
makes a random legal move instead of its own one turn in five. `steady!0.1` interrupts by a random
legal move one time in ten that it does not want to. Results are kept in a file, so that
nothing is played twice until the rules or the bots change.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
os.environ.setdefault("SECRET_KEY", "only-for-measuring-" * 3)
django.setup()  # the rated rules are those that the forms offer

from games.contract.rating_scale import RatingScale  # noqa: E402
from games.core.chance import SeededChance  # noqa: E402
from games.core.characters import Bot  # noqa: E402
from games.core.contract import Chance  # noqa: E402
from lab.endings import sources  # noqa: E402
from tests.support.bot_games import (  # noqa: E402
    Table,
    bots_of,
    characters_of,
    measured,
    rules_of,
)

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "rating_games"
ALONE = 0  # the first of a game's rated rules has no sides
SLIPS, INTERRUPTS = "~", "!"

Sides = tuple[tuple[int, ...], ...]


class Seating(NamedTuple):
    """Who plays a game: `players` by seat, and which of the game's rated rules, by its index."""

    players: tuple[str, ...]
    rules: int = 0


class Result(NamedTuple):
    """A finished game: its players by seat, its sides, and the first place of each side's seats."""

    players: tuple[str, ...]
    sides: Sides
    places: tuple[int, ...]

    @property
    def key(self) -> str:
        """The key of its luck in a scale."""
        return RatingScale.key(len(self.players), len(self.sides))


def ratings_of(game: str) -> Any:
    return import_module(f"games.{game}.ratings")


@cache
def rated_options(game: str, index: int) -> Any:
    return rules_of(game).read_options(ratings_of(game).RULES[index][1])


def sides_of(game: str, seating: Seating) -> Sides:
    options = ratings_of(game).RULES[seating.rules][1]
    found = ratings_of(game).sides(len(seating.players), options)
    return tuple(tuple(side) for side in found)


def bots_at(game: str, players: Sequence[str]) -> list[Bot]:
    """The bots of these players, as the site would let them play at one table."""
    kinds = [re.split(f"[{SLIPS}{INTERRUPTS}]", player)[0] for player in players]
    ladder, characters = bots_of(game), characters_of(game)
    bases = {characters[kind].base if kind in characters else kind for kind in kinds}
    mixed = import_module(f"games.{game}.bots").MIXED if len(bases) > 1 else ladder
    bots = measured(game) | mixed
    return [
        bots[kind] if player == kind else _worse(game, bots[kind], player.removeprefix(kind))
        for kind, player in zip(kinds, players, strict=True)
    ]


def _worse(game: str, bot: Bot, how: str) -> Bot:
    legal: Callable[[Any, int], list[Any]] = rules_of(game).legal_moves
    slips, often = how[0] == SLIPS, float(how[1:])

    def worse(known: Any, seat: int, chance: Chance) -> Any:
        move = bot(known, seat, chance)
        if (move is None) == slips or chance.below(1000) >= 1000 * often:
            return move
        moves = legal(known, seat)
        return chance.pick(moves) if moves else None

    return worse


def play(game: str, seed: str, seating: Seating) -> tuple[int, ...]:
    """Play one game and return the place of each side. The seed and the seating fix all of it."""
    players = seating.players
    chance = SeededChance(f"{seed}/{'/'.join(players)}/{seating.rules}")
    table = Table(game, len(players), rated_options(game, seating.rules), chance)
    table.play(bots_at(game, players))
    places = {seat: place for place, seats in _placed(table) for seat in seats}
    return tuple(min(places[seat] for seat in side) for side in sides_of(game, seating))


def _placed(table: Table) -> Iterator[tuple[int, tuple[int, ...]]]:
    place = 1
    for seats in table.rules.outcome(table.state).ranking:
        yield place, seats
        place += len(seats)


def results(
    game: str,
    seed: str,
    seatings: Sequence[Seating],
    *,
    workers: int | None = None,
    kept: Path | None = None,
) -> list[Result]:
    """Return the results of these games, in their order; those not kept in the file are played."""
    folder = kept or KEPT
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game}-{sources(game)}.jsonl"
    known = _read(path)
    names = [_name(seed, number, seating) for number, seating in enumerate(seatings)]
    missing = [number for number, name in enumerate(names) if name not in known]
    work = partial(_played, game, seed, seatings)
    started = time.monotonic()
    with path.open("a") as file, Pool(workers or os.cpu_count()) as pool:
        file.write("\n" * bool(missing and path.stat().st_size))  # after a line cut short
        for done, (number, places) in enumerate(pool.imap_unordered(work, missing, chunksize=8)):
            known[names[number]] = places
            file.write(json.dumps([names[number], places]) + "\n")
            file.flush()
            if sys.stderr.isatty() and done % 50 == 49:
                left = (time.monotonic() - started) / (done + 1) * (len(missing) - done - 1)
                print(f"{seed}: {done + 1} of {len(missing)}, {left:.0f} s left", file=sys.stderr)
    return [
        Result(seating.players, sides_of(game, seating), known[name])
        for name, seating in zip(names, seatings, strict=True)
    ]


def _name(seed: str, number: int, seating: Seating) -> str:
    return f"{seed} {number} {seating.rules} {' '.join(seating.players)}"


def _played(
    game: str, seed: str, seatings: Sequence[Seating], number: int
) -> tuple[int, tuple[int, ...]]:
    return number, play(game, f"{seed}/{number}", seatings[number])


def _read(path: Path) -> dict[str, tuple[int, ...]]:
    """What the file holds; a line that a crash cut short is none."""
    known = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            name, places = json.loads(line)
        except ValueError:
            continue
        known[name] = tuple(places)
    return known


def mixed(
    game: str,
    players: Sequence[str],
    games: int,
    seed: str,
    *,
    seats: Sequence[int] = (),
    with_one: str = "",
) -> list[Seating]:
    """Draw tables: a number of seats, rules and different players for each, all equally likely.

    There are at most as many seats as players. `with_one` sits at every table. Where the sides
    would be unequal, such games are not rated, and everyone plays alone.
    """
    drawn = random.Random(f"{seed}/{game}")  # noqa: S311
    others = [player for player in players if player != with_one]
    most = len(others) + bool(with_one)
    sizes = [size for size in seats or rules_of(game).SEATS if size <= most]
    found = []
    for _ in range(games):
        size = drawn.choice(sizes)
        seated = [with_one] * bool(with_one) + drawn.sample(others, size - bool(with_one))
        drawn.shuffle(seated)
        seating = Seating(tuple(seated), drawn.randrange(len(ratings_of(game).RULES)))
        if len({len(side) for side in sides_of(game, seating)}) > 1:
            seating = seating._replace(rules=ALONE)
        found.append(seating)
    return found
