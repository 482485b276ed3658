"""What a game says about the strength of its players: openskill's Plackett-Luce model.

The model is the fourth algorithm of Weng and Lin, "A Bayesian Approximation Method for Online
Ranking" (JMLR 12, 2011). A strength is a normal distribution in points (see `RatingScale`). The
members of a side win together, and the strength of a side is the sum of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, hypot, lcm, pi, sqrt
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

from games.contract.rating_scale import RatingScale
from games.models import LOWER_BY

# How certain the strength of a bot is: it was measured in thousands of games.
BOT_DOUBT: Final = 1.0
# Somebody is known after so many games and with less doubt than this (`is_known`), in points.
KNOWN_GAMES: Final = 10
KNOWN_DOUBT: Final = 80.0
# How much a game counts because of another falls by half with so many games together lately.
HALF_AFTER: Final = 10
# Another counts fully who has had so many rated games without you.
TRUSTED_AFTER: Final = 10


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known of somebody's strength: its mean and standard deviation, in points."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A player in a finished game. Those with the smaller `rank` finished before the others.

    `weight`, from 0 to 1, is how much of the game counts for this player (see `verdict`).
    """

    strength: Strength
    rank: int
    side: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Prospects:
    """What was to be expected before a game: a mean place, from 1, and the chance to win."""

    place: float
    winning: float


def newcomer(scale: RatingScale) -> Strength:
    return Strength(scale.start, scale.doubt)


def bot(scale: RatingScale, kind: str) -> Strength:
    """Return the strength of a bot; one of a kind that was never measured counts as average."""
    return Strength(scale.bots.get(kind, scale.start), BOT_DOUBT)


def after(scale: RatingScale, seats: int, sides: int, entries: Sequence[Entry]) -> list[Strength]:
    """Return what is known of the strengths after a game of `seats` seats in `sides` sides.

    `entries` are two players or more, of different sides; others at the table, such as guests, are
    left out. A weight of less than 1 moves a strength, and its variance, by that part only.

    Two things differ from openskill. It adds the variances of all sides to luck, so that the more
    play, the less a game says; here it is shown such a part of them that their sum is what two
    sides of the mean variance have. And its steps are as long as the doubt before the game allows,
    which leaps too far while that is great; here they are as long as the doubt after it (`_step`).
    """
    order = sorted({each.side for each in entries})
    places = [[at for at, each in enumerate(entries) if each.side == side] for side in order]
    shown = sqrt(2 / len(places))
    teams = [[_as_rating(scale, entries[at].strength, shown) for at in team] for team in places]
    model = PlackettLuce(
        mu=0.0,
        sigma=scale.doubt,
        beta=scale.luck_at(seats, sides) / sqrt(len(teams)),
        tau=scale.drift * shown,
        gamma=_whole,
    )
    sums = [(0.0, 0.0)] * len(entries)
    orders = _orders([min(entries[at].rank for at in team) for team in places])
    for ranks in orders:
        for team, rated in zip(places, model.rate(teams, ranks=list(ranks)), strict=True):
            for at, new in zip(team, rated, strict=True):
                slope, curvature = sums[at]
                before = shown**2 * _grown(scale, entries[at].strength)
                slope += (new.mu - _centred(scale, entries[at])) / before
                sums[at] = slope, curvature + (1 - new.sigma**2 / before) / before
    return [
        _step(scale, entry, slope / len(orders), curvature / len(orders))
        for entry, (slope, curvature) in zip(entries, sums, strict=True)
    ]


def prospects(
    scale: RatingScale, seats: int, sides: int, entries: Sequence[Entry]
) -> list[Prospects]:
    """Return what each of the entries could expect of their game, whatever their ranks are.

    Doubt brings chances nearer to each other: those of two sides, averaged over what their
    strengths may be, are about those of a greater luck (MacKay 1992, the "moderated output"). Of
    more sides the mean doubt is taken; the sum, as openskill has it, takes too much.
    """
    order = sorted({each.side for each in entries})
    sums = {side: sum(_centred(scale, e) for e in entries if e.side == side) for side in order}
    doubts = sum(each.strength.sigma**2 for each in entries) / len(order)
    unsure = sqrt(2 * doubts * pi / 8)
    likes, firsts = (
        {
            side: exp((value - max(sums.values())) / hypot(luck, unsure))
            for side, value in sums.items()
        }
        for luck in (scale.luck_at(seats, sides), scale.winners_luck_at(seats, sides))
    )
    found = {
        side: Prospects(
            1 + sum(likes[b] / (likes[b] + likes[side]) for b in order if b != side),
            firsts[side] / sum(firsts.values()),
        )
        for side in order
    }
    return [found[each.side] for each in entries]


def lower(strength: Strength) -> float:
    """Return a cautious estimate: the strength is larger in 39 cases of 40."""
    return strength.mu - LOWER_BY * strength.sigma


def after_absence(scale: RatingScale, strength: Strength, days: float) -> Strength:
    """Return a strength as it is shown after days without a game: less is known, nothing is lost.

    A year makes somebody as unknown as a newcomer, at most.
    """
    grown = sqrt(strength.sigma**2 + scale.doubt**2 * max(0.0, days) / 365)
    return replace(strength, sigma=max(strength.sigma, min(scale.doubt, grown)))


def is_known(strength: Strength, games: int) -> bool:
    return games >= KNOWN_GAMES and strength.sigma < KNOWN_DOUBT


def in_digits(strength: Strength, games: int) -> str:
    """Return a rating as people see it: a whole number, with "?" until it is known."""
    return f"{round(strength.mu)}{'' if is_known(strength, games) else '?'}"


def counts(lately: int, apart: int) -> float:
    """Return how much a game counts for somebody because of one of the others, from 0 to 1.

    `lately` are the rated games that the two have had within a month, `apart` all rated games the
    other has had without them: against who only plays with you, nobody can tell how good you are.
    The weight of a game is the mean over the others who are rated.
    """
    fresh: float = 0.5 ** (lately / HALF_AFTER)
    return fresh * min(1.0, (1 + apart) / TRUSTED_AFTER)


def _whole(*_: object) -> float:
    """Take the whole information of a game. openskill's default takes the less, the more is known
    of a player, so that it would call them unknown for longer than they are.
    """
    return 1.0


def _centred(scale: RatingScale, entry: Entry) -> float:
    return entry.strength.mu - scale.start


def _as_rating(scale: RatingScale, strength: Strength, shown: float) -> PlackettLuceRating:
    """Return openskill's rating. It raises e to the power of means, so these are kept small."""
    return PlackettLuceRating(strength.mu - scale.start, strength.sigma * shown)


def _grown(scale: RatingScale, strength: Strength) -> float:
    """Return the variance of a strength when another game begins."""
    return strength.sigma**2 + scale.drift**2


def _orders(ranks: Sequence[int]) -> list[list[float]]:
    """Return orders without ties in which each of those who share a rank is first equally often.

    openskill's own ties are those of the article, where two who share the first of four places
    gain as much as the third.
    """
    sharing = [[at for at, each in enumerate(ranks) if each == rank] for rank in sorted({*ranks})]
    orders = []
    for turn in range(lcm(*map(len, sharing))):
        order = [at for group in sharing for at in _turned(group, turn)]
        orders.append([float(order.index(at)) for at in range(len(ranks))])
    return orders


def _turned(group: list[int], turn: int) -> list[int]:
    cut = turn % len(group)
    return group[cut:] + group[:cut]


def _step(scale: RatingScale, entry: Entry, slope: float, curvature: float) -> Strength:
    """Return the strength after a game whose likelihood has this slope and curvature at the mean.

    The entry's weight is how much of the way there it goes.
    """
    old, part = entry.strength, entry.weight
    grown = _grown(scale, old)
    variance = grown / (1 + grown * curvature)
    mixed = old.sigma**2 + part * (variance - old.sigma**2)
    return Strength(old.mu + part * variance * slope, min(sqrt(mixed), scale.doubt))
