"""The bid that is ready on the control: legal, small, and likely for the player's own dice."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from games.perudo.rules.bids import FACES, ORDINARY, PACO, Bid, legal_bids, matching
from games.perudo.rules.odds import odds
from games.perudo.rules.options import PRESETS, Options
from games.perudo.rules.suggestion import suggested_bid

HANDS = [(2, 3, 4, 5, 6), (1, 1, 3, 3, 3), (5, 5, 5, 5, 5), (1, 1, 1), (6,), (2, 4)]
STANDING = [None, *(Bid(count, face) for count in (1, 2, 5, 9, 15) for face in FACES)]


def ready(
    last: str | None, *hand: int, dice: int = 15, palifico: bool = False, **settings: object
) -> str | None:
    bid = suggested_bid(
        Bid.from_text(last) if last else None,
        hand=hand,
        dice=dice,
        options=replace(Options(), **settings),  # type: ignore[arg-type]
        palifico=palifico,
        most=15,
    )
    return bid and str(bid)


def test_a_raise_goes_to_a_value_in_the_hand() -> None:
    """Not to the next higher face whatever one holds."""
    assert ready("3x3", 2, 6, 6, 6, 2) == "3x6"
    assert ready("3x3", 4, 4, 4, 2, 2) == "3x4"
    assert ready("3x3", 3, 3, 3, 3, 2) == "4x3"
    assert ready("6x5", 1, 1, 1, 2, 2) == "3xP"


def test_pacos_on_the_hand_count_for_an_ordinary_value() -> None:
    """P12: with two pacos three fives are as good as on the table."""
    assert ready("3x4", 1, 1, 5, 2, 2) == "3x5"


def test_equally_likely_raises_are_offered_smallest_first() -> None:
    assert ready("2x2", 3, 4, 5, 6, 6) == "2x6"
    assert ready("2x2", 3, 3, 4, 4, 2) == "2x3"
    assert ready("14x5", 2, dice=2) == "14x6"  # nothing can be true any more


def test_a_round_opens_on_the_commonest_value_of_the_hand() -> None:
    assert ready(None, 2, 5, 5, 5, 6) == "3x5"
    assert ready(None, 1, 2, 4, 4, 6) == "3x4"
    assert ready(None, 2, 3, 4, 5, 6) == "1x2"
    assert ready(None, 1, 1) == "2x2"  # P13: no ordinary round opens on pacos


def test_a_palifico_round_opens_on_the_one_die_and_keeps_its_value() -> None:
    """P25 to P27: pacos are a value of their own there, where it may be opened on them."""
    assert ready(None, 4, palifico=True) == "1x4"
    assert ready(None, 1, palifico=True) == "1xP"
    assert ready(None, 1, palifico=True, paco_opening="never") == "1x2"
    assert ready("2x3", 1, 6, 6, palifico=True) == "3x3"


def test_no_bid_is_ready_where_none_is_legal() -> None:
    assert ready("15xP", 1, 1, 1) is None


def test_what_is_ready_is_the_smallest_on_its_value_and_none_such_is_likelier(
    subtests: pytest.Subtests,
) -> None:
    for preset, options in PRESETS.items():
        with subtests.test(preset=preset):
            for last, hand, palifico in product(STANDING, HANDS, [False, True]):
                legal = legal_bids(last, options=options, palifico=palifico, most=15)
                bid = suggested_bid(
                    last, hand=hand, dice=15, options=options, palifico=palifico, most=15
                )
                if not legal:
                    assert bid is None
                    continue
                assert bid in legal
                smallest = {
                    face: min((b.quantity for b in legal if b.face == face), default=None)
                    for face in (*ORDINARY, PACO)
                }
                if last is None:
                    held = matching(hand, bid.face, palifico=palifico)
                    assert bid.quantity == max(1, held)
                    assert held == max(matching(hand, b.face, palifico=palifico) for b in legal)
                    continue
                assert bid.quantity == smallest[bid.face]
                likely = [
                    odds(Bid(count, face), dice=15, hand=hand, palifico=palifico).true
                    for face, count in smallest.items()
                    if count
                ]
                assert odds(bid, dice=15, hand=hand, palifico=palifico).true == max(likely)
