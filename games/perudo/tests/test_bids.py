"""What beats what: the table of raises, its checksums, and bids as they are written."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.perudo.rules.bids import (
    FACES,
    ORDINARY,
    PACO,
    Bid,
    ceiling,
    legal_bids,
    legal_counts,
    matching,
    why_illegal,
)
from games.perudo.rules.moves import parse
from games.perudo.rules.options import PRESETS, Options
from games.perudo.rules.reasons import Reason

ONE_ONLY = Options(raise_rule="one_only")
ANY_FACE = Options(raise_rule="any_face_if_more")
NO_PACO = Options(paco_opening="never")

a_bid = st.builds(Bid, st.integers(1, 30), st.sampled_from(FACES))
any_bid = st.builds(Bid, st.integers(-2, 33), st.integers(-1, 8))
some_options = st.sampled_from([ONE_ONLY, ANY_FACE, NO_PACO, *PRESETS.values()])


def least(previous: str | None, face: int, *, options: Options, palifico: bool) -> int | None:
    """The `min_count` of A4: the smallest number on this face; None where none may be bid."""
    last = Bid.from_text(previous) if previous else None
    counts = legal_counts(last, face, options=options, palifico=palifico, most=30)
    return counts.start if counts else None


# --- the minimum number table (A4) ---------------------------------------------------------------

#    last bid, palifico round | same value, higher, lower, paco
TABLE = {
    (None, False): {2: 1, 4: 1, 6: 1, PACO: None},  # P13
    (None, True): {2: 1, 4: 1, 6: 1, PACO: 1},  # P27
    ("5x4", False): {4: 6, 5: 5, 6: 5, 3: None, 2: None, PACO: 3},  # P10, P14
    ("6x4", False): {4: 7, 6: 6, 2: None, PACO: 3},
    ("1x6", False): {6: 2, 5: None, PACO: 1},
    ("4xP", False): {PACO: 5, 2: 9, 4: 9, 6: 9},  # P15, P16
    ("2x5", True): {5: 3, 6: None, 4: None, PACO: None},  # P26
    ("1xP", True): {PACO: 2, 2: None, 6: None},
}


def test_the_least_numbers_are_those_of_the_table() -> None:
    found = {
        (previous, palifico): {
            face: least(previous, face, options=ONE_ONLY, palifico=palifico) for face in row
        }
        for (previous, palifico), row in TABLE.items()
    }
    assert found == TABLE


def test_with_the_value_raised_only_the_same_number_is_legal() -> None:
    """P10: the number or the value, not both."""
    counts = legal_counts(Bid(5, 4), 6, options=ONE_ONLY, palifico=False, most=30)
    assert list(counts) == [5]
    assert why_illegal(Bid(6, 6), Bid(5, 4), options=ONE_ONLY, palifico=False, most=30) == (
        "both_raised"
    )


def test_with_any_face_if_more_more_dice_may_go_to_any_value() -> None:
    """P11."""
    assert least("5x4", 2, options=ANY_FACE, palifico=False) == 6
    assert least("5x4", 6, options=ANY_FACE, palifico=False) == 5
    assert Bid(9, 6) in legal_bids(Bid(5, 4), options=ANY_FACE, palifico=False, most=30)
    assert least("5x4", PACO, options=ANY_FACE, palifico=False) == 3


def test_web_rules_never_open_on_pacos_but_may_go_to_them() -> None:
    """P27 and P14."""
    assert least(None, PACO, options=NO_PACO, palifico=True) is None
    assert least("5x4", PACO, options=NO_PACO, palifico=False) == 3


def test_only_pacos_lower_the_value_or_the_number() -> None:
    """P17, under P10."""
    for previous, quantity, face in product([Bid(5, 4), Bid(9, 2)], range(1, 31), ORDINARY):
        if (quantity, face) < (previous.quantity, 0) or face < previous.face:
            bid = Bid(quantity, face)
            assert why_illegal(bid, previous, options=ONE_ONLY, palifico=False, most=30)


def test_no_bid_exceeds_five_dice_for_each_seat_of_the_start() -> None:
    """P9."""
    assert ceiling(6) == 30
    assert why_illegal(Bid(31, 4), None, options=ONE_ONLY, palifico=False, most=30) == "bad_count"
    assert why_illegal(Bid(30, 4), None, options=ONE_ONLY, palifico=False, most=30) is None


# --- checksums of the whole table ----------------------------------------------------------------


def legal_pairs(palifico: bool) -> int:
    every = [Bid(quantity, face) for quantity in range(1, 11) for face in FACES]
    return sum(
        why_illegal(bid, previous, options=ANY_FACE, palifico=palifico, most=10) is None
        for previous, bid in product(every, every)
    )


def test_the_whole_table_of_legal_bids_has_the_checksums_of_two_other_programs() -> None:
    opening = [
        len(legal_bids(None, options=ANY_FACE, palifico=palifico, most=10))
        for palifico in (False, True)
    ]
    assert opening == [50, 60]
    assert [legal_pairs(palifico=False), legal_pairs(palifico=True)] == [1770, 270]


# --- two ways to ask the same --------------------------------------------------------------------


@given(previous=st.none() | a_bid, options=some_options, palifico=st.booleans(), bid=any_bid)
def test_a_bid_is_refused_exactly_when_its_number_is_not_offered(
    previous: Bid | None, options: Options, palifico: bool, bid: Bid
) -> None:
    reason = why_illegal(bid, previous, options=options, palifico=palifico, most=30)
    offered = bid.face in FACES and bid.quantity in legal_counts(
        previous, bid.face, options=options, palifico=palifico, most=30
    )
    assert (reason is None) == offered
    assert offered == (bid in legal_bids(previous, options=options, palifico=palifico, most=30))
    assert reason is None or reason in get_args(Reason)


def rung(bid: Bid) -> tuple[int, int]:
    """The place of a bid on the ladder: two dice for a paco, and pacos above all of these."""
    return (2 * bid.quantity, 7) if bid.face == PACO else (bid.quantity, bid.face)


@given(previous=a_bid, options=some_options, palifico=st.booleans())
def test_every_raise_is_higher_than_the_bid(
    previous: Bid, options: Options, palifico: bool
) -> None:
    for bid in legal_bids(previous, options=options, palifico=palifico, most=30):
        assert rung(bid) > rung(previous)


@given(options=some_options, palifico=st.booleans(), data=st.data())
def test_every_chain_of_raises_ends(options: Options, palifico: bool, data: st.DataObject) -> None:
    legal = legal_bids(None, options=options, palifico=palifico, most=30)
    raises = 0
    while legal:
        lowest = sorted(legal, key=rung)[:3]
        last = data.draw(st.sampled_from(lowest))
        legal = legal_bids(last, options=options, palifico=palifico, most=30)
        raises += 1
    assert raises <= 30 * len(FACES)


# --- bids as they are written --------------------------------------------------------------------


@given(a_bid)
def test_a_bid_survives_its_written_form(bid: Bid) -> None:
    assert Bid.from_text(str(bid)) == bid


def test_a_bid_is_written_short() -> None:
    assert (str(Bid(3, 5)), str(Bid(4, PACO))) == ("3x5", "4xP")


@given(st.text(max_size=6))
def test_what_is_read_as_a_bid_is_written_the_same(text: str) -> None:
    try:
        bid = Bid.from_text(text)
    except ValueError as error:
        assert repr(text) in str(error)
    else:
        assert str(bid) == text


def test_what_is_not_a_bid_is_refused(subtests: pytest.Subtests) -> None:
    texts = ["", "3", "3x", "x5", "3x1", "3x7", "3xp", "03x5", "0x5", "-3x5", "3X5", "3×5"]
    texts += ["3x5 ", "3x5\n", "٣x5", "3x٥", "1000x5", "3x55", "3 x 5", "+3x5", "3.0x5"]
    for text in texts:
        with subtests.test(text=text), pytest.raises(ValueError, match="not a bid"):
            Bid.from_text(text)


@given(a_bid)
def test_a_bid_survives_the_form_of_the_page(bid: Bid) -> None:
    face = "P" if bid.face == PACO else str(bid.face)
    assert parse({"do": "bid", "quantity": str(bid.quantity), "face": face}) == bid


# --- counting (P12, P25) -------------------------------------------------------------------------


def test_pacos_count_for_every_value_but_in_a_palifico_round() -> None:
    dice = (1, 1, 2, 5, 5)
    assert [matching(dice, face, palifico=False) for face in (5, PACO, 6)] == [4, 2, 2]
    assert [matching(dice, face, palifico=True) for face in (5, PACO, 6)] == [2, 2, 0]
