"""Bids that were false, least likely by the bidder's own dice, and that nobody doubted."""

from __future__ import annotations

from collections.abc import Container
from datetime import timedelta
from typing import Any, Final

import pytest

from games.contract.game_values import RecordedFact
from games.core.contract import Fact
from games.perudo.moments import from_log
from games.perudo.review import bluffs
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import (
    BidMade,
    GameStarted,
    Revealed,
    Rolled,
    RoundStarted,
)
from games.perudo.rules.odds import odds
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tests.reviewed_games import START
from games.study.review.log import Log

# Six twos with the wild pacos, four fives, eight sixes.
HANDS: Final = ((1, 2, 2, 3, 4), (1, 2, 5, 6, 6), (1, 3, 6, 6, 6))
TWOS, FIVES, SIXES = 6, 4, 8


def held(
    *said: str, bots: Container[int] = (), automatic: Container[int] = (), doubted: bool = True
) -> dict[int, dict[str, Any]]:
    """After these bids in turn, from seat 0, the last one doubted; `automatic`: their places."""
    bids = [Bid(int(one[0]), int(one[2])) for one in said]
    facts: list[tuple[Fact, bool]] = [
        (GameStarted(3, SITE_OPTIONS), False),
        (RoundStarted(1, 0, None), False),
        *((Rolled(seat, hand), False) for seat, hand in enumerate(HANDS)),
        *((BidMade(n % 3, bid), n in automatic) for n, bid in enumerate(bids)),
    ]
    if doubted:
        facts.append((Revealed("dudo", len(bids) % 3, HANDS, 0), False))
    recorded = [
        RecordedFact(number, START + timedelta(seconds=number), fact, by_the_clock)
        for number, (fact, by_the_clock) in enumerate(facts, start=1)
    ]
    people = Log(3, frozenset(seat for seat in range(3) if seat in bots), recorded)
    return bluffs.held(from_log(recorded), people.by)


def test_a_false_bid_that_was_raised_held() -> None:
    found = held("5x5", "9x6", "9x2")
    assert set(found) == {0, 1}
    chance = odds(Bid(5, 5), dice=15, hand=HANDS[0], palifico=False).true
    assert found[0] == {
        "moment": 2,
        "chance": pytest.approx(chance),
        "code": "held_bluff",
        "values": {"quantity": 5, "face": 5, "short": 1, "chance": pytest.approx(chance)},
    }
    assert found[1]["values"]["short"] == 1 and found[1]["moment"] == 3


def test_what_was_true_or_doubted_or_came_last_was_no_bluff_that_held() -> None:
    assert held(f"{FIVES}x5", f"{TWOS}x2", f"{SIXES}x6", "9x6") == {}
    assert held("9x6", doubted=False) == {}


def test_a_bid_that_was_likely_to_its_bidder_was_no_bluff() -> None:
    """Seat 0 holds a four and a paco, and needs three of ten dice; of fours there are four."""
    assert odds(Bid(5, 4), dice=15, hand=HANDS[0], palifico=False).true > 0.5
    assert held("5x4", "9x6") == {}
    assert set(held("6x4", "9x6")) == {0}


def test_the_least_likely_counts_then_the_shortest_then_the_first() -> None:
    # Seat 0 holds as many threes as fours, with the paco; fives it has none but the paco.
    found = held("5x5", "5x6", "6x2", "7x5", "7x6", "8x2")
    assert found[0]["values"]["quantity"] == 7
    likely, unlikely = (
        odds(Bid(n, 5), dice=15, hand=HANDS[0], palifico=False).true for n in (5, 7)
    )
    assert unlikely < likely and found[0]["chance"] == pytest.approx(unlikely)
    # Of threes there are more than of fours.
    likely_alike = held("6x3", "7x5", "7x6", "6x4", "8x5", "8x6")[0]
    assert (likely_alike["moment"], likely_alike["values"]["short"]) == (5, 2)
    alike = held("6x4", "7x5", "7x6", "6x4", "8x5", "8x6")[0]
    assert alike["moment"] == 2


def test_what_bots_and_the_clock_bid_is_nobodys_bluff() -> None:
    assert set(held("5x5", "9x6", "9x2", bots=(0,))) == {1}
    assert set(held("5x5", "9x6", "9x2", automatic=(0,))) == {1}
