"""Right dudos against bids that were likely by the caller's own dice."""

from __future__ import annotations

from collections.abc import Container
from datetime import timedelta
from typing import Any, Final

import pytest

from games.contract.game_values import Highlight, RecordedFact
from games.core.contract import Fact
from games.perudo import words
from games.perudo.moments import from_log
from games.perudo.review import reads
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, GameStarted, Revealed, Rolled, RoundStarted
from games.perudo.rules.odds import odds
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tests.reviewed_games import START
from games.study.review.log import Log

# Seat 1 holds three fives with its pacos; together there are four.
HANDS: Final = ((2, 2, 3, 3, 4), (1, 1, 5, 6, 4), (5, 6, 6, 2, 3))
FIVES: Final = 4


def read(
    quantity: int, *, bots: Container[int] = (), automatic: bool = False
) -> dict[int, dict[str, Any]]:
    """Seat 0 bids this many fives, and seat 1 doubts it."""
    bid = Bid(quantity, 5)
    facts: list[tuple[Fact, bool]] = [
        (GameStarted(3, SITE_OPTIONS), False),
        (RoundStarted(1, 0, None), False),
        *((Rolled(seat, hand), False) for seat, hand in enumerate(HANDS)),
        (BidMade(0, bid), False),
        (Revealed("dudo", 1, HANDS, FIVES), automatic),
    ]
    recorded = [
        RecordedFact(number, START + timedelta(seconds=number), fact, by_the_clock)
        for number, (fact, by_the_clock) in enumerate(facts, start=1)
    ]
    people = Log(3, frozenset(seat for seat in range(3) if seat in bots), recorded)
    return reads.best(from_log(recorded), people.by)


def test_a_right_dudo_against_a_likely_bid_is_a_read() -> None:
    likely = odds(Bid(FIVES + 1, 5), dice=15, hand=HANDS[1], palifico=False).true
    assert likely > 0.5
    found = read(FIVES + 1)
    assert found == {
        1: {
            "moment": 3,
            "chance": pytest.approx(1 - likely),
            "code": "best_read",
            "values": {"quantity": FIVES + 1, "face": 5, "chance": pytest.approx(likely)},
        }
    }
    told = Highlight(3, 1, "best_read", found[1]["values"])
    assert words.highlight(told, ()).startswith("Best read: dudo on 5 fives, a bid that was ")


def test_a_wrong_dudo_and_one_against_an_unlikely_bid_are_none() -> None:
    assert read(FIVES) == {}
    assert read(FIVES + 6) == {}


def test_what_bots_and_the_clock_call_is_nobodys_read() -> None:
    assert read(FIVES + 1, bots=(1,)) == {}
    assert read(FIVES + 1, automatic=True) == {}
