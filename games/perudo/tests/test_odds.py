"""The odds are right: golden numbers, brute force, and what bids tell."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.perudo.rules.bids import FACES, PACO, Bid, matching
from games.perudo.rules.odds import (
    EVIDENCE,
    at_least,
    exactly,
    informed_odds,
    odds,
    pacos_wild,
    times_bid,
)
from tests.games.contract.random_games import seeded

PUBLIC: tuple[int, ...] = ()
P = PACO


def test_the_odds_of_an_ordinary_round(subtests: pytest.Subtests) -> None:
    for dice, bid, hand, true, exact in [
        (21, "9x5", (5, 5, P, 2, 3), Fraction(6500971, 14348907), 0.190495),
        (21, "9x5", (5, 5, P, 2), 0.522335, 0.196268),
        (21, "9x5", PUBLIC, 0.239875, 0.115095),
        (30, "10x6", (6, 6, P, 2, 3), 0.778461, 0.148725),
        (30, "10x6", (2, 2, 3, 4, 5), 0.304401, 0.126416),
        (30, "5xP", (P, P, 2, 3, 4), 0.811313, 0.192880),
        (10, "4x3", (3, 3, P, 2, 4), Fraction(211, 243), 0.329218),
        (10, "4x3", (2, 2, 4, 5, 6), Fraction(11, 243), 0.041152),
        (2, "2x6", (6,), Fraction(1, 3), 0.333333),
        (6, "7x5", (5, 5, 5), 0, 0),
        (6, "7x5", PUBLIC, 0, 0),
        (5, "2x3", PUBLIC, 0.5390947, 0.329218),
        (5, "2xP", PUBLIC, 0.1962449, 0.160751),
        (30, "10x4", PUBLIC, 0.5682556, 0.153015),
    ]:
        with subtests.test(dice=dice, bid=bid, hand=hand, true=true, exact=exact):
            found = odds(Bid.from_text(bid), dice=dice, hand=hand, palifico=False)
            if isinstance(true, Fraction):
                assert found.true == float(true)
            assert found.true == pytest.approx(float(true), abs=5e-7)
            assert found.exact == pytest.approx(exact, abs=5e-7)


def test_pacos_are_no_wild_in_a_palifico_round() -> None:
    duel = odds(Bid(2, 6), dice=2, hand=(6,), palifico=True)
    assert (duel.true, duel.exact) == (1 / 6, 1 / 6)
    full = odds(Bid(10, 4), dice=30, palifico=True)
    assert full.true == pytest.approx(0.0197063, abs=5e-8)


def test_the_exact_numbers_are_fractions() -> None:
    assert at_least(6, 16, wild=True) == Fraction(6500971, 14348907)
    assert at_least(4, 5, wild=True) == Fraction(11, 243)
    assert at_least(1, 5, wild=True) == Fraction(211, 243)


def test_the_odds_agree_with_every_roll_there_is(subtests: pytest.Subtests) -> None:
    for unknown, palifico in product([0, 1, 4], [False, True]):
        with subtests.test(unknown=unknown, palifico=palifico):
            hand = (P, 3, 3)
            rolls = list(product(FACES, repeat=unknown))
            for face in FACES:
                counts = [matching((*hand, *roll), face, palifico=palifico) for roll in rolls]
                for quantity in range(1, unknown + 5):
                    found = odds(
                        Bid(quantity, face), dice=3 + unknown, hand=hand, palifico=palifico
                    )
                    true = Fraction(sum(count >= quantity for count in counts), len(rolls))
                    exact = Fraction(counts.count(quantity), len(rolls))
                    assert (found.true, found.exact) == (float(true), float(exact))


@given(needed=st.integers(-5, 40), unknown=st.integers(0, 30), wild=st.booleans())
def test_at_least_is_exactly_or_more(needed: int, unknown: int, wild: bool) -> None:
    more = at_least(needed + 1, unknown, wild=wild)
    assert at_least(needed, unknown, wild=wild) == more + exactly(needed, unknown, wild=wild)
    assert at_least(0, unknown, wild=wild) == 1


def test_bids_come_true_as_often_as_their_odds_say() -> None:
    generator = seeded(49)
    surprises: dict[int, list[float]] = {tenth: [] for tenth in range(10)}
    doubts: dict[int, float] = dict.fromkeys(surprises, 0.0)
    for _ in range(20_000):
        dice = generator.randrange(6, 31)
        hand = generator.choices(FACES, k=min(5, dice))
        face = generator.choice(FACES)
        mine = matching(hand, face, palifico=False)
        bid = Bid(max(1, mine + generator.randrange(dice // 2)), face)
        believed = odds(bid, dice=dice, hand=hand, palifico=False).true
        others = generator.choices(FACES, k=dice - len(hand))
        came_true = matching((*hand, *others), face, palifico=False) >= bid.quantity
        tenth = min(int(believed * 10), 9)
        surprises[tenth].append(came_true - believed)
        doubts[tenth] += believed * (1 - believed)
    for tenth, found in surprises.items():
        assert len(found) > 300
        assert abs(sum(found)) < 3.5 * sqrt(doubts[tenth])


# --- bids are evidence ---------------------------------------------------------------------------

DICE = (5, 4, 3, 5)
MINE = (2, 4, 4, P, 6)


def informed(bids: list[tuple[int, Bid]], bid: Bid, *, palifico: bool = False) -> float:
    return informed_odds(bid, dice=DICE, seat=0, hand=MINE, bids=bids, palifico=palifico).true


def test_without_bids_the_informed_odds_are_the_plain_ones(subtests: pytest.Subtests) -> None:
    for palifico, face in product([False, True], FACES):
        with subtests.test(palifico=palifico, face=face):
            for quantity in range(1, 20):
                bid = Bid(quantity, face)
                plain = odds(bid, dice=sum(DICE), hand=MINE, palifico=palifico)
                informed = informed_odds(
                    bid, dice=DICE, seat=0, hand=MINE, bids=[], palifico=palifico
                )
                assert informed.true == pytest.approx(plain.true, abs=1e-12)
                assert informed.exact == pytest.approx(plain.exact, abs=1e-12)


def test_a_bid_makes_its_face_likelier_and_a_second_one_more() -> None:
    asked = Bid(7, 5)
    silent = informed([], asked)
    once = informed([(1, Bid(3, 5))], asked)
    twice = informed([(1, Bid(3, 5)), (1, Bid(5, 5))], asked)
    thrice = informed([(1, Bid(3, 5)), (1, Bid(5, 5)), (1, Bid(6, 5))], asked)
    assert silent < once < twice == thrice


def test_ones_own_bids_and_bids_on_other_faces_tell_nothing() -> None:
    asked = Bid(7, 5)
    assert informed([(0, Bid(5, 5)), (1, Bid(5, 6)), (2, Bid(3, P))], asked) == informed([], asked)


def test_seats_are_counted_apart() -> None:
    bids = [(1, Bid(3, 5)), (2, Bid(4, 5)), (1, Bid(5, 5)), (3, Bid(3, P))]
    assert times_bid(5, bids) == {1: 2, 2: 1}


@pytest.mark.parametrize("palifico", [False, True])
def test_the_informed_odds_agree_with_counting_die_by_die(palifico: bool) -> None:
    bids = [(1, Bid(3, 5)), (2, Bid(4, 5)), (1, Bid(5, 5))]
    ratio = 1 / 2 if pacos_wild(5, palifico=palifico) else 1 / 5
    chances = [1.0]
    for dice, weight in ((4, EVIDENCE[2]), (3, EVIDENCE[1]), (5, 0.0)):
        p = ratio * exp(weight) / (1 + ratio * exp(weight))
        for _ in range(dice):
            chances = [
                a * (1 - p) + b * p for a, b in zip([*chances, 0.0], [0.0, *chances], strict=True)
            ]
    mine = matching(MINE, 5, palifico=palifico)
    for quantity in range(1, 20):
        found = informed_odds(
            Bid(quantity, 5), dice=DICE, seat=0, hand=MINE, bids=bids, palifico=palifico
        )
        needed = quantity - mine
        assert found.true == pytest.approx(sum(chances[max(needed, 0) :]), abs=1e-12)
        exact = chances[needed] if 0 <= needed < len(chances) else 0
        assert found.exact == pytest.approx(exact, abs=1e-12)
