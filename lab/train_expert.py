"""Trains the network of the bot `expert`: `lab/.venv/bin/python -m lab.train_expert`, after `make
-C lab install`.

It plays games of every size and setting in compiled code, learns how rounds ended, and writes
network.npz and chances.json beside the bots. It can be interrupted, and goes
on from its checkpoint; the same seed gives the same weights on the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import Any, Final

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # with one thread sums come out the same each time

import numpy as np  # noqa: E402
from tqdm import tqdm  # noqa: E402

from games.perudo.bots import network  # noqa: E402
from games.perudo.review import chances as chances_file  # noqa: E402
from lab.training import chances, tables  # noqa: E402
from lab.training.learning import Learner, Weights  # noqa: E402
from lab.training.players import NETWORK, SHARP, THRESHOLD  # noqa: E402
from lab.training.simulator import duel, gather, room  # noqa: E402

ROOT: Final = Path(__file__).resolve().parent.parent
COMMAND: Final = "python -m lab.train_expert"
VERSION: Final = 2  # of the features and of what the network is trained on
GAMES_A_TABLE: Final = 150  # to find the chances to win, from each of the tables of dice
SHARDS: Final = 8  # games are played in so many parts a turn, on however many cores
SHARD: Final = 16_384  # decisions
TURNS: Final = 400
RATE: Final = 1.5e-3
LAST_RATE: Final = 2e-5
WARM_UP: Final = 20  # turns
EVERY: Final = 50  # turns from one checkpoint to the next


def rate_at(turn: int, turns: int) -> float:
    """How fast it learns: a short rise, then down along a cosine."""
    if turn < WARM_UP:
        return RATE * (turn + 1) / WARM_UP
    return LAST_RATE + (RATE - LAST_RATE) * (1 + cos(pi * turn / turns)) / 2


def save(path: Path, learner: Learner, turn: int) -> None:
    """Write a checkpoint whole, or leave the one before."""
    arrays: dict[str, Any] = {"turn": turn, "steps": learner.steps}
    for name in ("weights", "average", "first", "second"):
        for index, each in enumerate(getattr(learner, name)):
            arrays[f"{name}_{index}"] = each
    new = path.with_suffix(".new.npz")
    np.savez(new, **arrays)
    new.replace(path)


def load(path: Path) -> tuple[Learner, int]:
    with np.load(path) as kept:
        named = {
            name: tuple(kept[f"{name}_{index}"] for index in range(7))
            for name in ("weights", "average", "first", "second")
        }
        return Learner(**named, steps=int(kept["steps"])), int(kept["turn"])


def how_strong(weights: Weights, odds: Any, place: Any, games: int) -> str:
    """Wins of one network among bots of a kind, without calza, in a few words."""
    told = []
    for name, field in (("threshold", THRESHOLD), ("sharp", SHARP)):
        rates = [
            f"{duel(9, games, seats, NETWORK, field, 0.0, 0, weights, odds, *place) / games:.3f}"
            for seats in (6, 4, 3, 2)
        ]
        told.append(f"{name} {' '.join(rates)}")
    spoiler = duel(9, games, 6, SHARP, NETWORK, 0.0, 0, weights, odds, *place) / games
    return "; ".join([*told, f"one sharp {spoiler:.3f}"])


@dataclass(frozen=True)
class Run:
    """A training: how long, from which seed, where it keeps what it has learned."""

    turns: int
    seed: int
    checkpoint: Path
    shards: int = SHARDS
    shard: int = SHARD

    def begun(self) -> tuple[Learner, int]:
        """What is learned so far, and the turn that comes next."""
        if self.checkpoint.exists():
            return load(self.checkpoint)
        return Learner.new(self.seed), 0

    def go_on(
        self, odds: Any, pool: Executor, *, games: int = 0, until: int | None = None
    ) -> Learner:
        """Learn to the last turn, or `until` an earlier one, as if interrupted there.

        Now and then it reports by so many games of each kind.
        """
        learner, first = self.begun()
        last = self.turns if until is None else until
        places = [room(self.shard) for _ in range(self.shards)]
        bar = tqdm(range(first, last), initial=first, total=self.turns, unit="turn")
        for turn in bar:
            seeds = [self.seed * 1_000_003 + turn * self.shards + n for n in range(self.shards)]
            weights = learner.weights
            list(
                pool.map(
                    lambda seed, place, weights=weights: gather(seed, weights, odds, *place),
                    seeds,
                    places,
                )
            )
            features, masks, outcomes = (
                np.concatenate([place[1][part] for place in places]) for part in range(3)
            )
            loss = learner.learn(features, masks, outcomes, rate_at(turn, self.turns))
            bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            if (turn + 1) % EVERY == 0 or turn + 1 == last:
                save(self.checkpoint, learner, turn + 1)
            if games and (turn + 1) % (4 * EVERY) == 0:
                told = how_strong(learner.average, odds, places[0], games)
                tqdm.write(f"{turn + 1}: {told}", file=sys.stdout)
        return learner


def finish(weights: Weights, odds: Any, pool: Executor, *, to: Path, command: str) -> None:
    """Write the network, and the chances to win by games of it against itself."""
    name = network.write(to / network.FILE.name, weights, version=VERSION, command=command)
    print(f"wrote {network.FILE.name}, {name[:12]}; now the chances to win", flush=True)
    found = chances.chances(*chances.counted(pool, weights, odds, games=GAMES_A_TABLE, seed=1))
    by_dice = {
        " ".join(map(str, dice)): {str(own): round(chance, 5) for own, chance in each.items()}
        for dice, each in found.items()
    }
    kept = {"command": command, "network": name, "chances": by_dice}
    (to / chances_file.FILE.name).write_text(json.dumps(kept, indent=0) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--checkpoint", type=Path, default=ROOT / "var" / "train_expert.npz")
    parser.add_argument("--to", type=Path, default=network.FILE.parent, help="a folder")
    parser.add_argument("--games", type=int, default=2000, help="of each line of a report")
    given = parser.parse_args()

    given.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    run = Run(given.turns, given.seed, given.checkpoint)
    learner, first = run.begun()
    print(f"turns {first} to {run.turns}, {SHARDS * SHARD:,} decisions each; compiles", flush=True)
    odds = (*tables.plain(), *tables.informed())
    with ThreadPoolExecutor(given.cores) as pool:
        started = time.monotonic()
        gather(0, learner.weights, odds, *room(8))
        print(f"compiled in {time.monotonic() - started:.0f} s; a turn takes as long as the first")
        learner = run.go_on(odds, pool, games=given.games)
        command = f"{COMMAND} --turns {run.turns} --seed {run.seed}"
        finish(learner.average, odds, pool, to=given.to, command=command)
    print(how_strong(learner.average, odds, room(1), given.games))


if __name__ == "__main__":
    main()
