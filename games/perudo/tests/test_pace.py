"""The pace of a reveal: hand after hand from the bidder on, slower near the bid, at most 6 s."""

from __future__ import annotations

import pytest

from games.core.chance import SeededChance
from games.perudo import pace
from games.perudo.rules.bids import Bid
from games.perudo.rules.state import RoundResult

MOST_MS = 6_000


def revealed(*hands: tuple[int, ...], bid: str, bidder: int = 0) -> RoundResult:
    said = Bid.from_text(bid)
    return RoundResult(
        number=1,
        opener=bidder,
        palifico=None,
        bids=((bidder, said),),
        call="dudo",
        caller=(bidder + 1) % len(hands),
        hands=hands,
        count=sum(die in {1, said.face} for hand in hands for die in hand),
    )


def test_hands_open_one_after_the_other_clockwise_from_the_bidder() -> None:
    shown = pace.animation(revealed((2, 3), (4, 5), (), (6, 6), bid="2x6", bidder=3))
    cups = {seat: step for seat, step in enumerate(shown.cups) if step is not None}
    assert sorted(cups, key=lambda seat: cups[seat]) == [3, 0, 1]
    for seat, next_seat in ((3, 0), (0, 1)):
        assert cups[seat] < shown.dice[seat][0], "the cup first, then the dice"
        assert shown.dice[seat][-1] <= cups[next_seat], "one hand at a time"
    assert shown.dice[1][-1] < shown.verdict


def test_a_die_that_counts_takes_longer_and_longest_where_the_count_comes_near_the_bid() -> None:
    shown = pace.animation(revealed((4, 4, 4, 4, 4), (4, 4, 4, 4, 6), bid="5x4"))
    steps = [*shown.dice[0], *shown.dice[1]]
    took = [later - sooner for sooner, later in zip([3, *steps], steps, strict=False)]
    cup = took.pop(5) - 5  # the second hand's cup, and the sixth four: one more than was bid
    assert took == [2, 2, 2, 5, 5, 2, 2, 2, 1]
    assert cup == 3
    assert shown.met == shown.dice[0][4]


def test_a_bid_that_is_not_reached_is_never_met() -> None:
    assert pace.animation(revealed((4, 5), (2, 3), bid="2x4")).met is None


def test_no_reveal_is_longer_than_six_seconds_and_every_step_has_two_digits() -> None:
    """Any hands, and the longest: thirty dice that all count."""
    chance = SeededChance(13)
    rounds = [revealed(*[(4,) * 5] * 6, bid="15x4")]
    for _ in range(500):
        sizes = [1, *(chance.below(6) for _ in range(1 + chance.below(5)))]
        hands = [tuple(sorted(chance.dice(size))) for size in sizes]
        rounds.append(revealed(*hands, bid=f"{1 + chance.below(30)}x{2 + chance.below(5)}"))
    shown = [pace.animation(each) for each in rounds]
    assert max(each.lasts_ms for each in shown) <= MOST_MS
    assert max(each.verdict for each in shown) < 100
    assert min(each.step_ms for each in shown) >= 35, "too quick to be seen"
    for each in shown:
        assert each.lasts_ms > each.call_ms + each.verdict * each.step_ms


@pytest.mark.parametrize(("seats", "most_ms"), [(2, 5_400), (6, MOST_MS)])
def test_few_dice_take_less_time(seats: int, most_ms: int) -> None:
    full = pace.animation(revealed(*[(2, 3, 4, 5, 6)] * seats, bid=f"{seats}x4"))
    few = pace.animation(revealed(*[(4,)] * seats, bid=f"{seats}x4"))
    assert few.lasts_ms < full.lasts_ms <= most_ms
