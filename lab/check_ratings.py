"""Whether a game's ratings are right: proofs on other games of bots than the scale was made of.

    python -m lab.check_ratings perudo

Bots of ten strengths play at mixed tables and are rated from nothing. Their ratings are compared
with the strengths that other games, with other seeds, make likeliest; their predictions with those
of Elo; twins at small and large tables with each other. Farming is in `rating_farming`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import hypot, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from games.contract.rating_scale import RatingScale
from games.play.ratings.maths import Strength
from lab import rating_farming
from lab.rating_accounts import Accounts, Rated, elo_losses, equal_losses, rate
from lab.rating_games import mixed, ratings_of, results
from lab.rating_likelihood import Strengths, strengths
from lab.rating_proofs import TEN, Pools, heading, row, say, text
from lab.tournament import GAMES
from lab.tune_ratings import (
    FEW,
    GAMES_TUNED,
    MANY,
    SEED,
    START,
    measure,
    players_of,
    population,
)
from tests.support.bot_games import bots_of, rules_of

TWINS: Final = {"perudo": ("beginner~0.1", "steady", "expert"), "peco_peco": ("easy", "hard")}
MORE: Final = {"perudo": 0, "peco_peco": 600}  # games of the ten, that tell how strong they are
FEW_OF: Final = {"perudo": 200, "peco_peco": 40}
ELO_CHANGES: Final = (8, 12, 16, 24, 32, 40, 50, 60, 80, 100, 130, 160)
TAU: Final = 0.85
SURE: Final = 1.96
PROVING: Final = 1000  # fewer games prove nothing
STAGES: Final = (10, 30, 100, 300)


def check_order(scale: RatingScale, pools: Pools) -> tuple[bool, dict[int, Strength]]:
    """Rate each player once, from nothing; the order is that of the tournament.

    Among accounts that all begin as unknown only differences are known, so all are moved alike,
    to where their mean is that of the tournament. They are returned by their numbers.
    """
    games = list(Accounts(pools.players, 1, "order").playing(pools.check))
    known: dict[int, Strength] = {}
    rate(scale, games, known)
    reference = pools.reference
    moved = START + fmean(reference.points[name] for name in pools.players)
    moved -= fmean(each.mu for each in known.values())
    known = {at: replace(each, mu=each.mu + moved) for at, each in known.items()}
    title = f"Order: {len(games)} games at mixed tables, rated from nothing"
    heading(title, "player", "games", "rating", "tournament")
    for at, name in enumerate(pools.players):
        played = sum(at in game.accounts for game in games)
        true = Strength(START + reference.points[name], reference.errors[name])
        row(name, played, text(known[at]), text(true))
    reversed_pairs, discordant, pairs = [], 0, list(combinations(range(len(pools.players)), 2))
    for one, other in pairs:
        names = pools.players[one], pools.players[other]
        rated = known[one].mu - known[other].mu
        measured = reference.points[names[0]] - reference.points[names[1]]
        apart = abs(rated) > SURE * (known[one].sigma + known[other].sigma)
        apart &= abs(measured) > SURE * sum(reference.errors[name] for name in names)
        discordant += rated * measured < 0
        if apart and rated * measured < 0:
            reversed_pairs.append(names)
    tau = 1 - 2 * discordant / len(pairs)
    holds = say(
        f"no pair that is apart on both scales is reversed ({len(reversed_pairs)} are),"
        f" and Kendall's tau {tau:.3f} is at least {TAU}",
        not reversed_pairs and tau >= TAU,
    )
    return holds, known


def check_predictions(scale: RatingScale, pools: Pools) -> bool:
    """Winners are predicted better than by Elo, whose K the games of the tuning choose."""
    columns = "accounts", "games", "all equal", "Elo", "ratings", "less than Elo by"
    heading("Predictions of the winner", *columns)
    holds = True
    for each, learning in ((FEW, 0.0), (MANY, 0.0), (MANY, 0.5)):
        measured = {name: pools.reference.points[name] for name in pools.players}
        ten = Strengths(measured, {}, {}, {}, 0.0)
        fitted = population(pools.reference, pools.tuned, each, "elo", learning)
        tuning = list(fitted.playing(pools.tuned))
        change = min(ELO_CHANGES, key=lambda k: fmean(elo_losses(tuning, k)))
        games = list(population(ten, pools.check, each, "predict", learning).playing(pools.check))
        ours, elo = rate(scale, games), elo_losses(games, change)
        less = [b - a for a, b in zip(ours, elo, strict=True)]
        error = stdev(less) / sqrt(len(less))
        equal = fmean(equal_losses(games))
        who = f"some {each} games each" + (", half of them learn" if learning else "")
        row(
            who,
            len(games),
            f"{equal:.4f}",
            f"{fmean(elo):.4f} (K {change})",
            f"{fmean(ours):.4f}",
            f"{fmean(less):.4f} ± {error:.4f}",
        )
        holds &= fmean(ours) < min(fmean(elo), equal)
    return say("the loss is less than that of Elo and of all equal", holds)


def check_twins(scale: RatingScale, pools: Pools, known: dict[int, Strength], games: int) -> bool:
    """A bot that only plays at the smallest tables, and its twin at large ones."""
    sizes = rules_of(pools.game).SEATS
    small, large = sizes.start, sizes.stop - 1
    columns = f"rating at {small}", f"at {large}", f"tournament at {small}", f"at {large}"
    heading(f"Twins: {games} games at tables of {small}, and of {large}", "player", *columns)
    holds = True
    for hero in TWINS[pools.game]:
        rated, true = [], []
        for size in (small, large):
            played = pools.play(f"twins {size} {hero}", games, seats=[size], with_one=hero)
            rated.append(pools.newcomer(scale, known, played, hero))
            same = [game for game in pools.tuned if len(game.players) == size]
            found = strengths(
                [*same, *played], anchor=list(bots_of(pools.game)), fixed=pools.reference.luck
            )
            true.append(Strength(START + found.points[hero], found.errors[hero]))
        print(
            "| " + " | ".join([hero, *(f"{e.mu:.0f} ± {e.sigma:.0f}" for e in rated + true)]), "|"
        )
        one, other = rated
        holds &= abs(one.mu - other.mu) < 2 * hypot(one.sigma, other.sigma)
    return say("twins agree within two standard deviations", holds)


def check_doubt(scale: RatingScale, pools: Pools, times: int = 4) -> bool:
    """How often the true strength is within the doubt.

    As in `check_order`, all are moved to where their mean is that of the tournament.
    """
    found: dict[int, list[tuple[float, float]]] = {stage: [] for stage in STAGES}
    for number in range(times):
        at_stage: dict[int, list[tuple[float, float]]] = {stage: [] for stage in STAGES}

        def seen(one: Rated, into: dict[int, list[tuple[float, float]]] = at_stage) -> None:
            if one.games in into:
                off = one.strength.mu - START - pools.reference.points[one.player]
                into[one.games].append((off, one.strength.sigma))

        games = Accounts(pools.players, 2, f"doubt {number}").playing(pools.check)
        rate(scale, games, seen=seen)
        for stage, those in at_stage.items():
            middle = fmean(off for off, _ in those) if those else 0.0
            found[stage] += [(off - middle, sigma) for off, sigma in those]
    columns = "games", "accounts", "σ", "typical error", "within σ", "within 2 σ"
    heading("Doubt: how many ratings are within one and two σ of the truth (.68 and .95)", *columns)
    holds = True
    for stage, those in found.items():
        if not those:
            continue
        within = [fmean(abs(off) < k * sigma for off, sigma in those) for k in (1, 2)]
        error = sqrt(fmean(off**2 for off, _ in those))
        doubt = fmean(sigma for _, sigma in those)
        rounded = [f"{value:.2f}" for value in within]
        row(stage, len(those), f"{doubt:.0f}", f"{error:.0f}", *rounded)
        holds &= stage > STAGES[1] or within[1] > 0.85
    return say("within 2 σ are at least .85 while somebody becomes known", holds)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--tuned", type=int, help="so many of the games the scale is made of")
    parser.add_argument("--few", type=int, help=f"games of twins and farmers; without it {FEW_OF}")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--kept", type=Path, help="a folder for results, instead of var's")
    given = parser.parse_args(arguments)
    game, kept = given.game, given.kept
    tuned, other, check = (
        results(game, seed, mixed(game, players, games, seed), workers=given.workers, kept=kept)
        for seed, players, games in (
            (SEED, players_of(game), given.tuned or GAMES_TUNED[game]),
            ("reference", TEN[game], MORE[game] * given.games // 2000),
            ("check", TEN[game], given.games),
        )
    )
    scale: RatingScale = ratings_of(game).SCALE
    pools = Pools(
        game, TEN[game], check, tuned, measure(game, [*tuned, *other]), given.workers, kept
    )
    few = given.few or FEW_OF[game]
    holds, known = check_order(scale, pools)
    holds &= check_predictions(scale, pools)
    holds &= check_twins(scale, pools, known, few)
    holds &= check_doubt(scale, pools)
    holds &= rating_farming.check(scale, pools, known, few)
    if not holds and given.games >= PROVING:
        raise SystemExit("a proof fails")


if __name__ == "__main__":
    main()
