"""Accounts that play games of a pool and are rated: what was predicted, and what became of them."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log
from statistics import fmean
from typing import Final, NamedTuple

from games.contract.rating_scale import POINTS_OF_TWO, RatingScale
from games.play.ratings import maths
from games.play.ratings.maths import Entry, Strength
from lab.rating_games import Result, Sides

MONTH: Final = 30.0  # days
LEAST: Final = 1e-9  # no prediction is taken for more certain than this


class Played(NamedTuple):
    """A game of accounts, by seat: their numbers, what each of them was, and the outcome."""

    accounts: tuple[int, ...]
    players: tuple[str, ...]
    sides: Sides
    places: tuple[int, ...]

    @property
    def seats(self) -> int:
        return len(self.accounts)

    def side_by_seat(self) -> dict[int, int]:
        return {seat: side for side, seats in enumerate(self.sides) for seat in seats}


@dataclass
class Accounts:
    """A site's accounts: so many for each player, of which some learn.

    `learning` of the accounts become now and then, once in `stays` of their games on average, the
    player above or below in `ladder`, more often above.
    """

    ladder: Sequence[str]
    each: int
    seed: str
    learning: float = 0.0
    stays: int = 100
    now: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.now = [player for player in self.ladder for _ in range(self.each)]

    def playing(self, games: Sequence[Result]) -> Iterator[Played]:
        """Seat them in these games, in an order by chance, where there is one for every seat."""
        drawn = random.Random(f"{self.seed}/accounts")  # noqa: S311
        learners = {at for at in range(len(self.now)) if drawn.random() < self.learning}
        free: dict[str, list[int]] = {}
        for account, player in enumerate(self.now):
            free.setdefault(player, []).append(account)
        for game in drawn.sample(list(games), len(games)):
            if any(len(free.get(p, ())) < game.players.count(p) for p in game.players):
                continue
            seated: list[int] = []
            for player in game.players:
                seated.append(drawn.choice([a for a in free[player] if a not in seated]))
            yield Played(tuple(seated), game.players, game.sides, game.places)
            for account in learners & set(seated):
                if drawn.random() < 1 / self.stays:
                    free[self.now[account]].remove(account)
                    self.now[account] = self._next(self.now[account], drawn.random() < 0.75)
                    free.setdefault(self.now[account], []).append(account)

    def _next(self, player: str, better: bool) -> str:
        at = self.ladder.index(player) + (1 if better else -1)
        return self.ladder[max(0, min(len(self.ladder) - 1, at))]


class Pairs:
    """How many rated games people have had together, and how much the next one counts for them."""

    def __init__(self, counts: Callable[[int, int], float] = maths.counts) -> None:
        self._counts = counts
        self._times: dict[tuple[int, int], list[float]] = {}
        self.games: dict[int, int] = {}

    def weights(self, people: Collection[int], day: float) -> dict[int, float]:
        """The weights of a game of these people that begins on this day; it is counted."""
        found = {
            one: fmean(self._weight(one, other, day) for other in people if other != one)
            for one in people
        }
        for one in people:
            self.games[one] = self.games.get(one, 0) + 1
            for other in people:
                self._times.setdefault((one, other), []).append(day)
        return found

    def _weight(self, one: int, other: int, day: float) -> float:
        together = self._times.get((one, other), [])
        lately = len(together) - bisect_right(together, day - MONTH)
        return self._counts(lately, self.games.get(other, 0) - len(together))


class Rated(NamedTuple):
    """One game of an account: how many it has played now, what it is, and what is known of it."""

    account: int
    games: int
    player: str
    strength: Strength


def rate(
    scale: RatingScale,
    games: Iterable[Played],
    known: dict[int, Strength] | None = None,
    *,
    constant: Collection[int] = (),
    pairs: Pairs | None = None,
    pace: float = 0.0,
    seen: Callable[[Rated], None] | None = None,
) -> list[float]:
    """Rate the accounts in `known` by these games, and return the loss of each prediction.

    The loss is the negative logarithm of the chance given to the winner; of those who share the
    victory, the mean. Those in `constant`, such as bots, keep their strength. With `pairs` games
    count by weights; one begins every `pace` days.
    """
    known = {} if known is None else known
    new = maths.newcomer(scale)
    losses, played = [], dict[int, int]()
    for number, game in enumerate(games):
        by_seat = game.side_by_seat()
        people = [account for account in game.accounts if account not in constant]
        weights = pairs.weights(people, number * pace) if pairs else {}
        table = [
            Entry(known.get(who, new), game.places[by_seat[at]], by_seat[at], weights.get(who, 1.0))
            for at, who in enumerate(game.accounts)
        ]
        sides = len(game.sides)
        found = maths.prospects(scale, game.seats, sides, table)
        losses.append(_loss(game, [found[side[0]].winning for side in game.sides]))
        after = maths.after(scale, game.seats, sides, table)
        for account, player, strength in zip(game.accounts, game.players, after, strict=True):
            if account in constant:
                continue
            known[account] = strength
            played[account] = played.get(account, 0) + 1
            if seen:
                seen(Rated(account, played[account], player, strength))
    return losses


def elo_losses(games: Sequence[Played], change: float) -> list[float]:
    """The losses of Elo's ratings: a game of many is one against each other, at `change` in all."""
    points: dict[int, float] = {}
    losses = []
    for game in games:
        sums = [sum(points.get(game.accounts[seat], 0.0) for seat in side) for side in game.sides]
        likes = [exp((each - max(sums)) / POINTS_OF_TWO) for each in sums]
        losses.append(_loss(game, [each / sum(likes) for each in likes]))
        for side, (mine, place) in enumerate(zip(sums, game.places, strict=True)):
            gained = 0.0
            for other, its_place in zip(sums, game.places, strict=True):
                expected = 1 / (1 + exp((other - mine) / POINTS_OF_TWO))
                gained += (place < its_place) + 0.5 * (place == its_place) - expected
            for seat in game.sides[side]:
                account = game.accounts[seat]
                old = points.get(account, 0.0)
                points[account] = old + change * gained / (len(sums) - 1)
    return losses


def equal_losses(games: Sequence[Played]) -> list[float]:
    return [log(len(game.sides)) for game in games]


def _loss(game: Played, winning: Sequence[float]) -> float:
    firsts = [chance for chance, place in zip(winning, game.places, strict=True) if place == 1]
    return -sum(log(max(chance, LEAST)) for chance in firsts) / len(firsts)
