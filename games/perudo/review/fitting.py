"""How people bid: the shares of styles that make the bids of finished games most likely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from games.contract.game_values import Said
from games.perudo import rules
from games.perudo.bots.features import Array, counts_of
from games.perudo.moments import Moment, from_log
from games.perudo.review import calibration
from games.perudo.review.styles import STYLES, all_rolls, likelihoods
from games.perudo.rules.state import State
from games.study.review import log

STEPS: Final = 200
FEWEST: Final = 0.005  # shares below this are left out


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """What one player's bids in a game tell of their style."""

    bids: int
    evidence: Array  # (STYLES,): the logarithm of how likely each style makes them


def players_of(record: Any) -> list[Player]:
    """The people of a finished game who bid, from its log (see `review.log`)."""
    found = log.read(rules.FACTS, record)
    bids = [0] * found.seats
    evidence = np.zeros((found.seats, len(STYLES)))
    for state, seats in _rounds(from_log(found.facts), found):
        for seat in seats:
            bids[seat] += sum(bidder == seat for bidder, _ in state.bids)
            evidence[seat] += np.log(likelihoods(state, seat, STYLES)[:, _hand(state, seat)])
    return [Player(n, row) for n, row in zip(bids, evidence, strict=True) if n]


def said(record: Any) -> Iterator[Said]:
    """What a review of this log says about the bids of people, and how it was."""
    return calibration.of_record(record)


def fitted(players: Sequence[Player]) -> dict[str, Any]:
    """The habits of these players: the `shares` of styles, and the number of bids."""
    return {
        "players": len(players),
        "decisions": sum(each.bids for each in players),
        "shares": [round(float(share), 3) for share in shares(players)],
    }


def _rounds(moments: Sequence[Moment], found: log.Log) -> Iterable[tuple[State, Sequence[int]]]:
    """Each round as its reveal found it, with the people who chose all their bids themselves."""
    not_chosen: set[int] = set()
    for before, after in pairwise(moments):
        move = after.move
        if move is None:
            not_chosen.clear()
        elif found.by(move.seat, automatic=move.automatic) != "person":
            not_chosen.add(move.seat)
        if after.opens:
            bidders = {seat for seat, _ in before.state.bids}
            yield before.state, sorted(bidders - not_chosen)


def _hand(state: State, seat: int) -> int:
    """The place of a seat's hand among all rolls of so many dice."""
    hands, _ = all_rolls(state.dice[seat])
    return int((hands == counts_of(state.hand(seat))).all(axis=1).argmax())


def shares(players: Sequence[Player]) -> Array:
    """The share of each style, by expectation-maximization from equal shares: (STYLES,)."""
    evidence = np.array([each.evidence for each in players])
    likely = np.exp(evidence - evidence.max(axis=1, keepdims=True))
    found = np.full(len(STYLES), 1 / len(STYLES))
    for _ in range(STEPS):
        theirs = found * likely
        found = (theirs / theirs.sum(axis=1, keepdims=True)).mean(axis=0)
    found[found < FEWEST] = 0.0
    return np.asarray(found / found.sum())
