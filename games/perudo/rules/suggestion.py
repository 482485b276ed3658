"""The bid a player finds preselected: a sensible default for the dice they hold."""

from __future__ import annotations

from collections.abc import Sequence

from games.perudo.rules.bids import PACO, Bid, counts_by_face, matching
from games.perudo.rules.odds import odds
from games.perudo.rules.options import Options


def suggested_bid(
    previous: Bid | None,
    *,
    hand: Sequence[int],
    dice: int,
    options: Options,
    palifico: bool,
    most: int,
) -> Bid | None:
    """Of the smallest legal bid on each value, the one most likely true; None where none is legal.

    `hand` is the player's own; `dice` the number in play as this player may know it (P45). A round
    is opened on the value that the hand has most of, with as many as it has. Of equally likely bids
    the smallest is taken.
    """
    counts = counts_by_face(previous, options=options, palifico=palifico, most=most)
    legal = [Bid(allowed[0], face) for face, allowed in counts.items() if allowed]
    if not legal:
        return None

    def held(bid: Bid) -> int:
        return matching(hand, bid.face, palifico=palifico)

    if previous is None:
        best = min(legal, key=lambda bid: (-held(bid), bid.face))
        return Bid(max(1, held(best)), best.face)

    def likely(bid: Bid) -> float:
        return odds(bid, dice=dice, hand=hand, palifico=palifico).true

    return min(legal, key=lambda bid: (-likely(bid), _height(bid)))


def _height(bid: Bid) -> tuple[int, int]:
    """What sorts bids by size: a paco counts as two dice and a little more (P14, P16)."""
    return (2 * bid.quantity, 7) if bid.face == PACO else (bid.quantity, bid.face)
