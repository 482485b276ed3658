"""The bids and calls of a replay: each with the odds its own player had, and what they say."""

from __future__ import annotations

from datetime import timedelta
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract.game_values import RecordedFact, ReplayMove
from games.core.contract import Fact
from games.perudo import replay_moves, words
from games.perudo.moments import from_log
from games.perudo.rules.bids import FACES, Bid
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    GameStarted,
    Left,
    Revealed,
    Rolled,
    RoundStarted,
)
from games.perudo.rules.options import PRESETS
from tests.support.fast_games import START

Hands = tuple[tuple[int, ...], ...]
NAMES = ("Killa", "Illa", "Sami", "Anna", "Waman", "Chaska", "Inti")


def log(
    hands: Hands, *made: tuple[float, Fact, bool], palifico: int | None = None
) -> list[RecordedFact]:
    """A log with one round of these hands; each fact of `made` so many seconds after the last."""
    options = next(iter(PRESETS.values()))
    lost = [DieLost(seat) for seat, dice in enumerate(hands) for _ in range(5 - len(dice))]
    facts: list[Fact] = [GameStarted(len(hands), options), *lost, RoundStarted(1, 0, palifico)]
    facts += [Rolled(seat, dice) for seat, dice in enumerate(hands)]
    at, events = START, [(START, fact, False) for fact in facts]
    for seconds, fact, automatic in made:
        at += timedelta(seconds=seconds)
        events.append((at, fact, automatic))
    return [RecordedFact(seq, *each) for seq, each in enumerate(events, start=1)]


def moves(
    hands: Hands, *made: tuple[float, Fact, bool], palifico: int | None = None
) -> list[ReplayMove]:
    steps = from_log(log(hands, *made, palifico=palifico))
    return [step.move for step in steps if step.move is not None]


def of_five(*held: int) -> Hands:
    """Five hands of five dice of seats 0 to 4, of which each holds so many sixes, else twos."""
    return tuple((6,) * count + (2,) * (5 - count) for count in held)


# --- the numbers of the issue ---------------------------------------------------------------------


def test_the_numbers_of_the_drawing() -> None:
    """25 dice, pacos wild; the second bidder has three dice, so another has seven in all."""
    hands = ((6, 6, 2, 2, 2), (6, 6, 2), (6, 6, 6, 6, 2), (6, 6, 6, 2, 2), (2, 2, 2, 2, 2), (2, 2))
    call = Revealed("dudo", 3, hands, 11)
    made = moves(
        hands,
        (2, BidMade(0, Bid(7, 6)), False),
        (2, BidMade(1, Bid(8, 6)), False),
        (6, BidMade(2, Bid(9, 6)), False),
        (11, call, False),
    )
    assert sum(map(len, hands)) == 25
    assert [round(100 * each.chance, 1) for each in made if each.chance] == [84.8, 79.4, 84.8, 29.7]
    assert [each.seconds for each in made] == [2, 2, 6, 11]
    assert [each.seat for each in made] == [0, 1, 2, 3]
    assert [words.move(each) for each in made] == ["7 sixes", "8 sixes", "9 sixes", "dudo"]
    assert [words.move_chance(each) for each in made] == ["85%", "79%", "85%", "30%"]
    assert words.move_odds(made[2], NAMES) == [
        "Sami held 4 of 9.",
        "They needed 5 more from 20 hidden dice: 85%, likely.",
        "Under the cups: 11. The bid held.",
    ]
    assert words.move_odds(made[3], NAMES) == [
        "Anna held 3 of 9.",
        "Dudo needed fewer than 6 more among 20 hidden dice: 30%, unlikely.",
        "Under the cups: 11. The bid held.",
    ]


def test_the_chance_of_a_dudo_is_not_the_complement_of_the_bidders() -> None:
    hands = of_five(4, 3, 0, 0, 0)
    made = moves(
        hands, (1, BidMade(0, Bid(9, 6)), False), (1, Revealed("dudo", 1, hands, 7), False)
    )
    assert made[1].chance != pytest.approx(1 - made[0].chance)


# --- against every way the hidden dice can lie ----------------------------------------------------


def convolved(hidden: int, needed: range, *, hits: int) -> float:
    """The probability of a number of matches in `needed`, die by die; `hits` of 6 faces match."""
    ways = [1]
    for _ in range(hidden):
        ways = [
            (6 - hits) * (ways[n] if n < len(ways) else 0) + hits * (ways[n - 1] if n else 0)
            for n in range(len(ways) + 1)
        ]
    return sum(ways[n] for n in range(hidden + 1) if n in needed) / 6**hidden


@given(data=st.data())
def test_each_move_has_the_odds_of_its_own_players_dice(data: st.DataObject) -> None:
    die = st.sampled_from(FACES)
    hand = st.lists(die, min_size=1, max_size=5).map(tuple)
    hands = tuple(data.draw(st.lists(hand, min_size=2, max_size=6)))
    total = sum(map(len, hands))
    bid = Bid(data.draw(st.integers(1, 5 * len(hands))), data.draw(die))
    palifico = data.draw(st.sampled_from([None, 0]))
    call = data.draw(st.sampled_from(["dudo", "calza"]))
    caller = data.draw(st.integers(1, len(hands) - 1))
    wild = palifico is None and bid.face != 1
    fits = {bid.face, 1} if wild else {bid.face}
    counts = [sum(each in fits for each in dice) for dice in hands]
    said, called = moves(
        hands,
        (1, BidMade(0, bid), False),
        (1, Revealed(call, caller, hands, sum(counts)), False),
        palifico=palifico,
    )
    for made in (said, called):
        seat = made.seat
        needed, hidden = bid.quantity - counts[seat], total - len(hands[seat])
        right = {
            "bid": range(needed, total + 1),
            "dudo": range(0, needed),
            "calza": range(needed, needed + 1),
        }[made.code]
        right = range(max(right.start, 0), max(right.stop, 0))
        assert made.values["needed"] == needed and made.values["hidden"] == hidden
        assert made.values["count"] == sum(counts)
        chance = convolved(hidden, right, hits=len(fits))
        assert made.chance == pytest.approx(chance, abs=1e-12)
        lines = words.move_odds(made, NAMES)
        assert len(lines) == 3 and all(lines) and not any("%(" in line for line in lines)


def test_the_check_itself_agrees_with_counting_every_roll() -> None:
    rolls = list(product(FACES, repeat=4))
    for least in range(6):
        found = sum(sum(die in (1, 3) for die in roll) >= least for roll in rolls) / len(rolls)
        assert convolved(4, range(least, 5), hits=2) == pytest.approx(found)
    assert convolved(5, range(2, 3), hits=1) == pytest.approx(comb(5, 2) * 5**3 / 6**5)


# --- calza, palifico, pacos -----------------------------------------------------------------------


def test_a_calza_has_the_chance_of_exactly() -> None:
    hands = of_five(2, 3, 0, 0, 0)
    *_bid, call = moves(
        hands, (1, BidMade(0, Bid(5, 6)), False), (3, Revealed("calza", 1, hands, 5), False)
    )
    assert call.chance == pytest.approx(comb(20, 2) * 2**18 / 3**20)
    assert words.move_odds(call, NAMES) == [
        "Illa held 3 of 5.",
        "Calza needed exactly 2 more among 20 hidden dice: 1%, unlikely.",
        "Under the cups: 5. Exact!",
    ]


def test_a_calza_out_of_turn_was_thought_until_its_claim() -> None:
    hands = of_five(2, 3, 0, 0, 0)
    *_bid, call = moves(
        hands,
        (1, BidMade(0, Bid(5, 6)), False),
        (4, CalzaClaimed(2), False),
        (3, Revealed("calza", 2, hands, 5), False),
    )
    assert (call.seat, call.seconds) == (2, 4)


def test_in_a_palifico_round_and_on_pacos_nothing_is_wild() -> None:
    hands = ((6,), (1, 6))
    [bid] = moves(hands, (1, BidMade(0, Bid(2, 6)), False), palifico=0)
    assert (bid.values["held"], bid.values["count"]) == (1, 2)
    assert bid.chance == pytest.approx(1 - (5 / 6) ** 2)
    [bid] = moves(hands, (1, BidMade(0, Bid(1, 1)), False), palifico=0)
    assert (bid.values["held"], bid.values["count"]) == (0, 1)


@pytest.mark.parametrize(
    ("quantity", "call", "line"),
    [
        (2, "dudo", "By these dice alone the bid was true."),
        (1, "calza", "That was already more than the bid."),
        (
            3,
            "calza",
            "Calza needed exactly 1 more among 1 hidden die: 33%, unlikely.",
        ),
    ],
)
def test_what_ones_own_dice_decide_is_said_so(quantity: int, call: str, line: str) -> None:
    hands = ((6,), (6, 6))
    bid, made = moves(
        hands,
        (1, BidMade(0, Bid(quantity, 6)), False),
        (1, Revealed(call, 1, hands, 3), False),
    )
    assert words.move_odds(made, NAMES)[1] == line
    if quantity == 1:
        assert words.move_odds(bid, NAMES)[1] == "That was enough for the bid."


# --- who and when ---------------------------------------------------------------------------------


def test_what_a_stand_in_or_the_clock_did_is_marked() -> None:
    hands = of_five(2, 2, 0, 0, 0)
    made = moves(
        hands,
        (30, BidMade(0, Bid(2, 6)), True),
        (0, Left(1), False),
        (5, BidMade(1, Bid(3, 6)), False),
        (1, Revealed("dudo", 2, hands, 4), True),
    )
    assert [each.automatic for each in made] == [True, False, True]
    assert made[1].seconds == 5  # a departure is nobody's move


def test_a_deal_is_nobodys_move() -> None:
    [deal] = from_log(log(of_five(1, 1, 1, 1, 1)))
    assert deal.move is None and not deal.opens
    assert replay_moves.move_of(deal.state, (), log(of_five(1, 1, 1, 1, 1))[:1]) is None
