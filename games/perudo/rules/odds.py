"""How likely a bid is true, or exact, from what one player knows.

Every die the player cannot see matches a bid with probability 1/3 where pacos are wild, else 1/6
(P12, P25), so the number of unknown matches is binomial.

Give these functions only what the player knows. Where lost dice are hidden (P45) the number of
dice in play is not shown while bids are made, and a page with odds computed from it would reveal
it. A bot may use it, because it shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate
from math import comb, exp
from typing import Final

from games.perudo.rules.bids import PACO, Bid, matching

# How much likelier a die of a player who bid this face matches it, as log odds: for players who
# never bid it, bid it once, and twice or more. Fitted on games between bots; people will differ.
EVIDENCE: Final = (0.0, 0.47, 1.1)


@dataclass(frozen=True, slots=True)
class Odds:
    """The probabilities that a bid is true (at least so many) and that it is exact."""

    true: float
    exact: float


def pacos_wild(face: int, *, palifico: bool) -> bool:
    """Whether pacos count for a bid on `face` (P12, P25)."""
    return face != PACO and not palifico


def at_least(needed: int, unknown: int, *, wild: bool) -> Fraction:
    """The probability that at least `needed` of `unknown` dice match a value."""
    counts = range(max(needed, 0), unknown + 1)
    return sum((exactly(count, unknown, wild=wild) for count in counts), Fraction(0))


def exactly(needed: int, unknown: int, *, wild: bool) -> Fraction:
    """The probability that exactly `needed` of `unknown` dice match a value."""
    if not 0 <= needed <= unknown:
        return Fraction(0)
    sides, others = (3, 2) if wild else (6, 5)
    return Fraction(comb(unknown, needed) * others ** (unknown - needed), sides**unknown)


def odds(bid: Bid, *, dice: int, hand: Sequence[int] = (), palifico: bool) -> Odds:
    """The odds of `bid` with `dice` in play for the player who holds `hand`.

    Without a hand these are the odds for a spectator.
    """
    unknown = dice - len(hand)
    needed = bid.quantity - matching(hand, bid.face, palifico=palifico)
    wild = pacos_wild(bid.face, palifico=palifico)
    # Beyond these limits nothing changes, so the cache stays small whatever is bid.
    return _odds(min(max(needed, -1), unknown + 1), unknown, wild)


@cache
def _odds(needed: int, unknown: int, wild: bool) -> Odds:
    return Odds(
        true=float(at_least(needed, unknown, wild=wild)),
        exact=float(exactly(needed, unknown, wild=wild)),
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
    """The odds of `bid` for the holder of `hand` at `seat`, given the `bids` of the round.

    `dice` is the number of dice by seat. A player who bid this face holds more of it (EVIDENCE);
    the number of matches is then a sum of binomials with different probabilities.
    """
    times = times_bid(bid.face, bids)
    levels = [0, 0, 0]
    for other, count in enumerate(dice):
        if other != seat:
            levels[times.get(other, 0)] += count
    matches = matches_among(*levels, wild=pacos_wild(bid.face, palifico=palifico))
    needed = bid.quantity - matching(hand, bid.face, palifico=palifico)
    return Odds(true=matches.at_least(needed), exact=matches.exactly(needed))


def times_bid(face: int, bids: Iterable[tuple[int, Bid]]) -> dict[int, int]:
    """How often each seat bid `face`: 1, or 2 for twice and more; the other seats are absent."""
    times: dict[int, int] = {}
    for seat, bid in bids:
        if bid.face == face:
            times[seat] = min(times.get(seat, 0) + 1, len(EVIDENCE) - 1)
    return times


@dataclass(frozen=True, slots=True)
class Matches:
    """The distribution of the number of matching dice; `chances[n]` is for exactly n."""

    chances: tuple[float, ...]
    tails: tuple[float, ...]

    def exactly(self, count: int) -> float:
        return self.chances[count] if 0 <= count < len(self.chances) else 0.0

    def at_least(self, count: int) -> float:
        if count <= 0:
            return 1.0
        return self.tails[count] if count < len(self.tails) else 0.0


@lru_cache(maxsize=4096)
def matches_among(never: int, once: int, often: int, *, wild: bool) -> Matches:
    """The matches among this many dice of players who bid the face never, once, or more often."""
    chances: tuple[float, ...] = (1.0,)
    for count, weight in zip((never, once, often), EVIDENCE, strict=True):
        chances = _sum_of(chances, _binomial(count, _chance_of_a_die(weight, wild=wild)))
    tails = tuple(accumulate(reversed(chances)))[::-1]
    return Matches(chances, tails)


def _chance_of_a_die(weight: float, *, wild: bool) -> float:
    ratio = (1 / 2 if wild else 1 / 5) * exp(weight)
    return ratio / (1 + ratio)


def _binomial(count: int, chance: float) -> tuple[float, ...]:
    return tuple(comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1))


def _sum_of(left: Sequence[float], right: Sequence[float]) -> tuple[float, ...]:
    total = [0.0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            total[i + j] += a * b
    return tuple(total)
