"""The scale of a game's ratings, measured on seeded games of bots: writes games/GAME/ratings.json.

    python -m lab.tune_ratings perudo

Luck and the strengths of the bots are those that make the orders of finish likeliest
(`rating_likelihood`). The first doubt and the drift are those with which the winners of half of
the games are predicted best, when all accounts begin as unknown; the other half tells how well. Of
the values within a standard error of the best it takes the largest doubt, as people differ more
than bots, and the drift in the middle, but not less than `LEAST_DRIFT`.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from games.contract.rating_scale import POINTS_OF_TWO, RatingScale
from games.play.ratings import maths
from games.play.ratings.maths import Entry, Strength
from lab.rating_accounts import Accounts, equal_losses, rate
from lab.rating_games import ROOT, Result, mixed, results
from lab.rating_likelihood import (
    Strengths,
    luck_of_winners,
    order_loss_of_equals,
    strengths,
)
from lab.tournament import GAMES
from tests.support.bot_games import bots_of, characters_of, measured, rules_of

START: Final = 1500.0
SEED: Final = "tune"
GAMES_TUNED: Final = {"perudo": 4000, "peco_peco": 2000}
SLIPPING: Final = {
    "perudo": ("beginner~0.3", "beginner~0.1", "steady~0.1", "sharp~0.1", "expert~0.1"),
    "peco_peco": (
        "hard~0.1", "hard~0.25", "hard~0.5", "medium~0.2", "medium~0.5", "easy~0.4", "easy~1",
    ),
}  # fmt: skip
DOUBTS: Final = (100.0, 125.0, 150.0, 175.0, 200.0, 225.0, 250.0, 300.0)
DRIFTS: Final = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
LEAST_DRIFT: Final = 2.0  # lets people change by 20 points in a hundred games (one σ)
FEW, MANY = 25, 150  # games an account plays, where first doubt and drift matter
FAR: Final = 300.0  # a person so many points from the mean is to be found
SOON: Final = 30  # in so many games


def players_of(game: str) -> list[str]:
    """All bots, characters and variants, and some that are weaker by slips."""
    return [*measured(game), *SLIPPING[game]]


def unit_of(game: str) -> dict[str, float]:
    """The luck that fixes the unit: that of the smallest tables, each seat for itself."""
    smallest = rules_of(game).SEATS.start
    return {RatingScale.key(smallest, smallest): POINTS_OF_TWO}


def measure(game: str, played: Sequence[Result]) -> Strengths:
    return strengths(played, anchor=list(bots_of(game)), fixed=unit_of(game))


def scale_of(game: str, found: Strengths, doubt: float, drift: float) -> RatingScale:
    named = [*bots_of(game), *characters_of(game)]
    bots = {kind: START + found.points[kind] for kind in named if kind in found.points}
    return RatingScale(START, doubt, drift, {key: found.luck[key] for key in _sorted(found)}, bots)


def _sorted(found: Strengths) -> list[str]:
    return sorted(found.luck, key=lambda key: [int(part) for part in key.split("/")])


def population(
    found: Strengths, played: Sequence[Result], games_each: int, seed: str, learning: float
) -> Accounts:
    """Accounts of all players, so many that each plays about so many games."""
    seats = sum(len(game.players) for game in played)
    each = max(1, round(seats / games_each / len(found.points)))
    return Accounts(sorted(found.points, key=found.points.__getitem__), each, seed, learning)


def losses(
    scale: RatingScale, found: Strengths, played: Sequence[Result], each: int, learning: float
) -> list[float]:
    return rate(scale, population(found, played, each, "tune", learning).playing(played))


def nearly_best(
    name: str, values: Sequence[float], losses_at: Callable[[float], list[float]]
) -> list[float]:
    """The values whose loss is the least or within a standard error of it; all are printed."""
    found = {value: losses_at(value) for value in values}
    least = min(found.values(), key=fmean)
    near = []
    print(f"\n| {name} | loss | more than the best |\n|---|---|---|")
    for value, those in found.items():
        more = [one - other for one, other in zip(those, least, strict=True)]
        error = stdev(more) / sqrt(len(more))
        print(f"| {value:g} | {fmean(those):.4f} | {fmean(more):.4f} ± {error:.4f} |", flush=True)
        if fmean(more) <= error:
            near.append(value)
    return near


def found_after(scale: RatingScale, away: float, games: int, times: int = 150) -> Strength:
    """How a person so far from the mean is rated on average after so many games.

    They play as the model has it, at tables of four with people who are known and of the mean.
    """
    key, luck = "4", scale.luck["4"]
    others = [Strength(scale.start, 50.0)] * 3
    chance, ends = random.Random(f"{key}/{away}"), []  # noqa: S311
    for _ in range(times):
        person = maths.newcomer(scale)
        for _ in range(games):
            means = [scale.start + away, *[scale.start] * 3]
            lots = [mean / luck - log(-log(chance.random())) for mean in means]
            ranks = [1 + sum(lot < other for other in lots) for lot in lots]
            table = [Entry(one, ranks[at], at) for at, one in enumerate([person, *others])]
            person = maths.after(scale, 4, 4, table)[0]
        ends.append(person)
    return Strength(fmean(e.mu for e in ends), sqrt(fmean(e.sigma**2 for e in ends)))


def least_doubt(scale: RatingScale) -> float:
    """The least first doubt with which somebody `FAR` from the mean is found in `SOON` games:
    what is missing on average is less than half of the doubt that remains.
    """
    for doubt in DOUBTS:
        person = found_after(replace(scale, doubt=doubt), FAR, SOON)
        missing = scale.start + FAR - person.mu
        print(f"  doubt {doubt:g}: {missing:.0f} points are missing, {person.sigma:.0f} in doubt")
        if missing < person.sigma / 2:
            break
    return doubt


def report(game: str, found: Strengths, played: Sequence[Result]) -> None:
    print(f"{len(played)} games; loss of an order {found.loss:.4f}", end="")
    print(f" (all equal {order_loss_of_equals(played):.4f})\n\n| player | strength |\n|---|---|")
    for name in sorted(found.points, key=found.points.__getitem__, reverse=True):
        print(f"| {name} | {START + found.points[name]:.0f} ± {found.errors[name]:.0f} |")
    print("\n| table | games | luck | best for winners |\n|---|---|---|---|")
    for key in _sorted(found):
        error = found.luck_errors.get(key)
        count = sum(result.key == key for result in played)
        luck = f"{found.luck[key]:.0f}" + (f" ± {error:.0f}" if error else "")
        print(f"| {key} | {count} | {luck} | {luck_of_winners(found, played, key)} |")


def tune(game: str, played: Sequence[Result]) -> RatingScale:
    """Measure the scale by these games, and print how."""
    found = measure(game, played)
    report(game, found, played)
    tuned, kept_back = played[::2], played[1::2]
    half = measure(game, tuned)
    scale = scale_of(game, half, 200.0, 3.0)
    print(f"\nWinners by the first doubt, accounts of some {FEW} games:")
    near = nearly_best(
        "doubt", DOUBTS, lambda each: losses(replace(scale, doubt=each), half, tuned, FEW, 0)
    )
    doubt = max(near)
    print(f"\nSomebody {FAR:.0f} points above the mean, after {SOON} games:")
    scale = replace(scale, doubt=max(doubt, least_doubt(scale)))
    print(f"\nWinners by the drift, accounts of some {MANY} games, of which half learn:")
    near = nearly_best(
        "drift", DRIFTS, lambda each: losses(replace(scale, drift=each), half, tuned, MANY, 0.5)
    )
    drift = max(LEAST_DRIFT, near[(len(near) - 1) // 2])
    scale = replace(scale, drift=drift)
    for each, learning in ((FEW, 0.0), (MANY, 0.5)):
        others = list(population(half, kept_back, each, "kept", learning).playing(kept_back))
        print(
            f"\nThe other half, accounts of some {each} games, {learning:.0%} learn: loss"
            f" {fmean(rate(scale, others)):.4f}, all equal {fmean(equal_losses(others)):.4f}"
        )
    scale = scale_of(game, found, scale.doubt, drift)
    return replace(scale, luck_of_winners=winners(found, played))


def winners(found: Strengths, played: Sequence[Result]) -> dict[str, float]:
    """The luck of the first place by table; of two sides it is that of the order.

    It is in the middle between that of the order and the one with which the measured strengths
    predict best: ratings are less sure than these.
    """
    more = {game.key for game in played if len(game.sides) > 2}
    return {
        key: sqrt(found.luck[key] * luck_of_winners(found, played, key))
        for key in _sorted(found)
        if key in more
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, help=f"without it {GAMES_TUNED}")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--file", type=Path, help="instead of games/GAME/ratings.json")
    parser.add_argument("--kept", type=Path, help="a folder for results, instead of var's")
    given = parser.parse_args(arguments)
    game = given.game
    seatings = mixed(game, players_of(game), given.games or GAMES_TUNED[game], SEED)
    played = results(game, SEED, seatings, workers=given.workers, kept=given.kept)
    tune(game, played).write(given.file or ROOT / "games" / game / "ratings.json")


if __name__ == "__main__":
    main()
