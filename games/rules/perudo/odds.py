"""What a player could work out: how likely a bid is true, or exactly true, after what he has seen.

T dice are in play and the observer sees some of them. Every other die matches a bid with the
chance 1/3 where pacos are jokers, else 1/6 (P12, P25), so the unknown matches are binomial.

Feed these functions only what the observer was told. Where lost dice are hidden (P45) the number
of dice in play is not shown to anybody while bids are made: a page that prints odds computed from
it there gives it away. A bot may count along as an attentive player does, because it prints
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate
from math import comb, exp
from typing import Final

from games.rules.perudo.bids import PACO, Bid, matching

# How much likelier a die of a player who bid this face matches it, as log odds: never bid it,
# bid it once, bid it twice or more. Fitted on games between bots; people will differ.
EVIDENCE: Final = (0.0, 0.47, 1.1)


@dataclass(frozen=True, slots=True)
class Odds:
    """The probabilities that a bid is true (at least so many) and that it is exact."""

    true: float
    exact: float


def jokers_count(face: int, *, palifico: bool) -> bool:
    """Whether pacos count for a bid on `face` (P12, P25)."""
    return face != PACO and not palifico


def at_least(needed: int, unknown: int, *, jokers: bool) -> Fraction:
    """The probability that at least `needed` of `unknown` dice match a value."""
    counts = range(max(needed, 0), unknown + 1)
    return sum((exactly(count, unknown, jokers=jokers) for count in counts), Fraction(0))


def exactly(needed: int, unknown: int, *, jokers: bool) -> Fraction:
    """The probability that exactly `needed` of `unknown` dice match a value."""
    if not 0 <= needed <= unknown:
        return Fraction(0)
    sides, others = (3, 2) if jokers else (6, 5)
    return Fraction(comb(unknown, needed) * others ** (unknown - needed), sides**unknown)


def odds(bid: Bid, *, dice: int, hand: Sequence[int] = (), palifico: bool) -> Odds:
    """The odds of `bid` with `dice` in play for one who sees `hand`; no hand is the public view.

    The holder may be anybody: the bidder (was the bid sound?), the doubter (was the doubt?).
    """
    unknown = dice - len(hand)
    needed = bid.quantity - matching(hand, bid.face, palifico=palifico)
    jokers = jokers_count(bid.face, palifico=palifico)
    # Beyond these ends nothing changes, so the memo stays small whatever is bid.
    return _odds(min(max(needed, -1), unknown + 1), unknown, jokers)


@cache
def _odds(needed: int, unknown: int, jokers: bool) -> Odds:
    return Odds(
        true=float(at_least(needed, unknown, jokers=jokers)),
        exact=float(exactly(needed, unknown, jokers=jokers)),
    )


# --- bids are evidence ----------------------------------------------------------------------------


def informed_odds(
    bid: Bid,
    *,
    dice: Sequence[int],
    seat: int,
    hand: Sequence[int],
    bids: Iterable[tuple[int, Bid]],
    palifico: bool,
) -> Odds:
    """The odds of `bid` for the holder of `hand` at `seat`, who listened to the round's `bids`.

    `dice` is the number of dice by seat. A player who bid this face holds more of it (EVIDENCE);
    the number of matches is then a sum of binomials with different chances.
    """
    heard = times_bid(bid.face, bids)
    levels = [0, 0, 0]
    for other, count in enumerate(dice):
        if other != seat:
            levels[heard.get(other, 0)] += count
    matches = matches_among(*levels, jokers=jokers_count(bid.face, palifico=palifico))
    needed = bid.quantity - matching(hand, bid.face, palifico=palifico)
    return Odds(true=matches.at_least(needed), exact=matches.exactly(needed))


def times_bid(face: int, bids: Iterable[tuple[int, Bid]]) -> dict[int, int]:
    """How often each seat bid `face`: 1, or 2 for twice and more; silent seats are absent."""
    times: dict[int, int] = {}
    for seat, bid in bids:
        if bid.face == face:
            times[seat] = min(times.get(seat, 0) + 1, len(EVIDENCE) - 1)
    return times


@dataclass(frozen=True, slots=True)
class Matches:
    """The distribution of the number of matching dice: `chances[n]` is that of exactly n."""

    chances: tuple[float, ...]
    tails: tuple[float, ...]

    def exactly(self, count: int) -> float:
        return self.chances[count] if 0 <= count < len(self.chances) else 0.0

    def at_least(self, count: int) -> float:
        if count <= 0:
            return 1.0
        return self.tails[count] if count < len(self.tails) else 0.0


@lru_cache(maxsize=4096)
def matches_among(silent: int, once: int, often: int, *, jokers: bool) -> Matches:
    """How many match among so many dice of players who never, once, or more often bid the face."""
    chances: tuple[float, ...] = (1.0,)
    for count, weight in zip((silent, once, often), EVIDENCE, strict=True):
        chances = _sum_of(chances, _binomial(count, _chance_of_a_die(weight, jokers=jokers)))
    tails = tuple(accumulate(reversed(chances)))[::-1]
    return Matches(chances, tails)


def _chance_of_a_die(weight: float, *, jokers: bool) -> float:
    ratio = (1 / 2 if jokers else 1 / 5) * exp(weight)
    return ratio / (1 + ratio)


def _binomial(count: int, chance: float) -> tuple[float, ...]:
    return tuple(comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1))


def _sum_of(left: Sequence[float], right: Sequence[float]) -> tuple[float, ...]:
    total = [0.0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            total[i + j] += a * b
    return tuple(total)
