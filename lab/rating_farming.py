"""What farming brings (a part of `check_ratings`): weak bots, second accounts, and honest play.

A second account loses on purpose: it gives up every game, so that its owner is always placed
before it. The tables are the smallest, where bots of the mean take the other seats if there are
more than two.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from math import hypot
from typing import Final

from games.contract.rating_scale import RatingScale
from games.play.ratings import maths
from games.play.ratings.maths import Strength
from lab.rating_accounts import MONTH, Accounts, Pairs, Played, Rated, rate
from lab.rating_games import ALONE, Seating, results
from lab.rating_proofs import HERO, Pools, heading, row, say, text
from tests.support.bot_games import rules_of

FARMERS: Final = {"perudo": ("expert", "beginner"), "peco_peco": ("hard", "easy")}
SECOND: Final = HERO + 1  # the first second account
BOTS: Final = range(2000, 2010)
FARMED: Final = 200  # games against one's own second account
WELL_KNOWN: Final = 55.0  # the doubt of an honest account after some 40 games
ENOUGH, LONGER = 30, 40

Counts = Callable[[int, int], float]
WEIGHTS: Final[dict[str, Counts]] = {
    "whole games": lambda lately, apart: 1.0,
    "half after ten together": lambda lately, apart: 0.5 ** (lately / maths.HALF_AFTER),
    "as `maths.counts` has it": maths.counts,
}


def check(scale: RatingScale, pools: Pools, known: dict[int, Strength], games: int) -> bool:
    holds = weak_bots(scale, pools, known, games)
    holds &= second_accounts(scale, pools)
    return honest_accounts(scale, pools) & holds


def weak_bots(scale: RatingScale, pools: Pools, known: dict[int, Strength], games: int) -> bool:
    """A strong account with a weak accomplice and the weakest bots; its twin at mixed tables."""
    hero, weak = FARMERS[pools.game]
    sizes = list(rules_of(pools.game).SEATS)
    tables = [
        Seating((hero, *[weak] * (max(3, sizes[number % len(sizes)]) - 1)), ALONE)
        for number in range(games)
    ]
    turned = [
        table._replace(players=table.players[number % 3 :] + table.players[: number % 3])
        for number, table in enumerate(tables)
    ]
    farmed = results(pools.game, "farm", turned, workers=pools.workers, kept=pools.kept)
    honest = pools.play(f"twin of {hero}", games, seats=sizes, with_one=hero)
    bots = {at: maths.bot(scale, weak) for at in BOTS}
    farm = []
    for game in farmed:
        others = iter([SECOND, *bots])
        accounts = tuple(HERO if player == hero else next(others) for player in game.players)
        farm.append(Played(accounts, *game))
    twin = pools.newcomer(scale, known, honest, hero)
    title = f"Weak bots: {hero}, {games} games with {weak} bots and one account of that kind"
    heading(title, "tables", "weights", "rating", "against the twin")
    row("mixed, with known accounts", "whole games", text(twin), "")
    worst = 0.0
    for name, counts in WEIGHTS.items():
        after = dict(bots)
        pairs = Pairs(counts)
        rate(scale, farm, after, constant=BOTS, pairs=pairs, pace=MONTH / games)
        gained = after[HERO].mu - twin.mu
        worst = max(worst, gained / hypot(after[HERO].sigma, twin.sigma))
        row("weak bots", name, text(after[HERO]), f"{gained:+.0f}")
    true = scale.start + pools.reference.points[hero]
    print(f"\nThe tournament says {true:.0f} ± {pools.reference.errors[hero]:.0f}.")
    return say(
        f"who farms weak bots gains nothing against a twin ({worst:.1f} σ, at most 2)", worst < 2
    )


def second_accounts(scale: RatingScale, pools: Pools) -> bool:
    """What 200 games against accounts of one's own bring a newcomer, and one who is known."""
    known = Strength(scale.start, WELL_KNOWN)
    columns = "farmer", "second accounts", "in days", "weights", "points gained", "σ", "known"
    heading(f"Second accounts: {FARMED} games that they give up", *columns)
    holds = True
    for who, before, played in (
        ("a newcomer", maths.newcomer(scale), 0),
        ("somebody known", known, 2 * maths.TRUSTED_AFTER),
    ):
        for accounts, days in ((1, MONTH), (1, 365.0), (20, MONTH)):
            for name, counts in WEIGHTS.items():
                pairs = Pairs(counts)
                pairs.games[HERO] = played
                strengths = {at: maths.bot(scale, "") for at in BOTS} | {HERO: before}
                games = _given_up(rules_of(pools.game).SEATS.start, accounts)
                rate(scale, games, strengths, constant=BOTS, pairs=pairs, pace=days / FARMED)
                after = strengths[HERO]
                found = maths.is_known(after, played + FARMED)
                gained = after.mu - before.mu
                row(
                    *(who, accounts, f"{days:.0f}", name),
                    *(f"{gained:+.0f}", f"{after.sigma:.0f}", "yes" if found else "no"),
                )
                if counts is maths.counts and accounts == 1:
                    holds &= gained < WELL_KNOWN / 2 if played else not found
    return say(
        "one second account makes no newcomer known, and brings somebody known less than half a"
        " standard deviation",
        holds,
    )


def _given_up(seats: int, accounts: int) -> Iterator[Played]:
    """Games that the second accounts, one after the other, end as the last of the table."""
    chance = random.Random("given up")  # noqa: S311
    for number in range(FARMED):
        second = SECOND + number * accounts // FARMED
        places = [*chance.sample(range(1, seats), seats - 1), seats]
        yield Played(
            (HERO, *BOTS[: seats - 2], second),
            ("",) * seats,
            tuple((seat,) for seat in range(seats)),
            tuple(places),
        )


def honest_accounts(scale: RatingScale, pools: Pools) -> bool:
    """In how many games honest accounts come to be known, at mixed tables."""
    everybody = Accounts(pools.players, 8, "a new site")
    games = list(everybody.playing(pools.check))
    half = len(games) // 2
    late = set(range(0, len(everybody.now), 4))  # they come when half of the games are over
    games[half:] = [
        game._replace(accounts=tuple(at + HERO if at in late else at for at in game.accounts))
        for game in games[half:]
    ]
    played, took = Counter[int](), dict[int, int]()

    def seen(one: Rated) -> None:
        played[one.account] = one.games
        if maths.is_known(one.strength, one.games):
            took.setdefault(one.account, one.games)

    rate(scale, games, pairs=Pairs(), pace=MONTH / len(games), seen=seen)
    columns = "first tenth", "half", "nine tenths"
    title = "Honest accounts: games until they are known"
    heading(title, "who", f"accounts of {ENOUGH} games or more", "known", *columns)
    holds = True
    for who, new in (("all are new", False), ("comes to others", True)):
        those = [at for at, count in played.items() if count >= ENOUGH and (at >= HERO) == new]
        count = sorted(took.get(at, played[at]) for at in those) or [0]
        cuts = [count[int(part * (len(count) - 1))] for part in (0.1, 0.5, 0.9)]
        known = sum(at in took for at in those)
        row(who, len(those), known, *cuts)
        holds &= 10 <= cuts[1] <= (ENOUGH if new else LONGER)
    return say(
        f"half of those who come to others are known after 10 to {ENOUGH} games, and where all are"
        f" new after {LONGER} at most",
        holds,
    )
