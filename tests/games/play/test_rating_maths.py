"""What a game says about strengths: ties, sides, weights, and what was to be expected."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import catalogue
from games.contract.rating_scale import POINTS_OF_TWO, RatingScale
from games.play.ratings import maths
from games.play.ratings.maths import Entry, Strength

SCALE = RatingScale(
    start=1500,
    doubt=200,
    drift=3,
    luck={"2": POINTS_OF_TWO, "3": 190, "4": 210, "5": 220, "6": 230, "8": 260, "8/4": 300},
    bots={"steady": 1450},
)
NEW = maths.newcomer(SCALE)


def alone(*strengths: Strength) -> list[Entry]:
    """Each alone, finished in this order."""
    return [Entry(each, at + 1, at) for at, each in enumerate(strengths)]


def test_the_winner_gains_what_the_other_loses_and_both_are_better_known() -> None:
    won, lost = maths.after(SCALE, 2, 2, alone(NEW, NEW))
    assert won.mu - SCALE.start == pytest.approx(SCALE.start - lost.mu)
    assert won.mu > 1550
    assert won.sigma == lost.sigma < NEW.sigma


def test_each_place_counts_and_the_order_of_the_entries_does_not() -> None:
    entries = alone(NEW, NEW, NEW, NEW)
    after = maths.after(SCALE, 4, 4, entries)
    assert [each.mu for each in after] == sorted((each.mu for each in after), reverse=True)
    turned = maths.after(SCALE, 4, 4, entries[::-1])
    assert [each.mu for each in turned[::-1]] == pytest.approx([each.mu for each in after])


def test_those_who_share_a_place_gain_the_same_and_more_than_those_behind_them() -> None:
    """openskill's own ties give the third of (1, 1, 3, 4) as much as the first."""
    entries = [
        replace(each, rank=rank) for each, rank in zip(alone(*[NEW] * 4), (1, 1, 3, 4), strict=True)
    ]
    first, second, third, last = (each.mu for each in maths.after(SCALE, 4, 4, entries))
    assert first == pytest.approx(second)
    assert first > SCALE.start > third > last
    everybody = [replace(each, rank=1) for each in entries]
    assert [each.mu for each in maths.after(SCALE, 4, 4, everybody)] == pytest.approx([1500] * 4)


def test_a_side_shares_its_result() -> None:
    entries = [Entry(NEW, 1 + at % 4, at % 4) for at in range(8)]
    after = maths.after(SCALE, 8, 4, entries)
    for side in range(4):
        assert after[side].mu == pytest.approx(after[side + 4].mu)
    assert after[0].mu > after[1].mu > after[2].mu > after[3].mu


def test_who_is_stronger_gains_less_by_winning() -> None:
    strong = Strength(1700, 50)
    expected = maths.after(SCALE, 2, 2, alone(strong, Strength(1500, 50)))[0].mu - strong.mu
    surprise = maths.after(SCALE, 2, 2, alone(strong, Strength(1900, 50)))[0].mu - strong.mu
    assert 0 < expected < surprise


def test_a_bot_is_a_constant_and_an_unknown_one_average() -> None:
    steady = maths.bot(SCALE, "steady")
    assert (steady.mu, maths.bot(SCALE, "of a later version").mu) == (1450, 1500)
    after = maths.after(SCALE, 2, 2, alone(NEW, steady))
    assert after[1].mu == pytest.approx(1450, abs=0.1)


def test_a_weight_moves_a_strength_by_that_part() -> None:
    entries = alone(NEW, NEW, NEW)
    whole = maths.after(SCALE, 3, 3, entries)
    half = maths.after(SCALE, 3, 3, [replace(entries[0], weight=0.5), *entries[1:]])
    assert half[0].mu - 1500 == pytest.approx((whole[0].mu - 1500) / 2)
    assert half[1:] == whole[1:]
    none = maths.after(SCALE, 3, 3, [replace(each, weight=0) for each in entries])
    assert [each.mu for each in none] == [1500] * 3
    assert [each.sigma for each in none] == pytest.approx([200] * 3)


def test_those_left_out_change_nothing_but_that_the_table_is_larger() -> None:
    """Of four seats, two of guests: the two accounts are rated by the luck of a table of four."""
    after = maths.after(SCALE, 4, 4, alone(NEW, NEW))
    of_two = maths.after(SCALE, 2, 2, alone(NEW, NEW))
    assert 1500 < after[0].mu < of_two[0].mu


@given(
    st.lists(
        st.tuples(st.floats(500, 2500), st.floats(20, 200), st.integers(1, 6)),
        min_size=2,
        max_size=6,
    )
)
def test_any_game_leaves_numbers_that_make_sense(rows: list[tuple[float, float, int]]) -> None:
    entries = [Entry(Strength(mu, sigma), rank, at) for at, (mu, sigma, rank) in enumerate(rows)]
    for entry, new in zip(entries, maths.after(SCALE, len(rows), len(rows), entries), strict=True):
        assert 0 < new.sigma <= SCALE.doubt
        assert abs(new.mu - entry.strength.mu) < 1000
    found = maths.prospects(SCALE, len(rows), len(rows), entries)
    assert sum(each.winning for each in found) == pytest.approx(1)
    assert sum(each.place for each in found) == pytest.approx(sum(range(1, len(rows) + 1)))


def test_prospects_of_four_hundred_points_are_ten_to_one_as_in_chess() -> None:
    known = [Strength(1900, 1), Strength(1500, 1)]
    strong, weak = maths.prospects(SCALE, 2, 2, alone(*known))
    assert strong.winning == pytest.approx(10 / 11, abs=0.001)
    assert (strong.place, weak.place) == pytest.approx((1 + 1 / 11, 1 + 10 / 11), abs=0.001)


def test_absence_makes_somebody_less_known_and_no_weaker() -> None:
    known = Strength(1650, 60)
    assert maths.after_absence(SCALE, known, 0) == known
    assert maths.after_absence(SCALE, known, -3) == known
    month, years = (maths.after_absence(SCALE, known, days) for days in (30, 3000))
    assert known.mu == month.mu == years.mu
    assert known.sigma < month.sigma < years.sigma == SCALE.doubt


def test_every_game_has_a_scale_for_all_its_seats_and_bots() -> None:
    for kind in catalogue.every():
        assert kind.ratings is not None
        scale = kind.ratings.SCALE
        for seats in kind.rules.SEATS:
            assert 100 < scale.luck[str(seats)] < 1000
        for preset, options in kind.ratings.RULES:
            assert preset in kind.stats.presets
            assert kind.rules.read_options(options)


def test_more_players_at_a_table_say_more() -> None:
    """openskill adds up the doubts of all, so that a game of six would say less than one of two."""
    even = replace(SCALE, luck=dict.fromkeys(map(str, range(2, 7)), POINTS_OF_TWO))
    doubts = []
    for seats in (2, 4, 6):
        me = NEW
        for _ in range(5):
            others = [Strength(1500, 150)] * (seats - 1)
            ranks = [(seats + 1) // 2, *(rank for rank in range(1, seats + 1) if rank * 2 != seats)]
            table = [Entry(each, ranks[at], at) for at, each in enumerate([me, *others])]
            me = maths.after(even, seats, seats, table)[0]
        doubts.append(me.sigma)
    assert doubts == sorted(doubts, reverse=True)


def test_who_is_unknown_does_not_leap_past_what_their_games_say() -> None:
    """A newcomer who wins the first five games at tables of four against those of the mean."""
    me = NEW
    for _ in range(5):
        me = maths.after(SCALE, 4, 4, alone(me, *[Strength(1500, 10)] * 3))[0]

    def likelihood(gap: int) -> float:
        like = exp(gap / SCALE.luck["4"])
        return 5 * log(like / (like + 3)) - (gap / SCALE.doubt) ** 2 / 2

    assert me.mu - 1500 == pytest.approx(max(range(1000), key=likelihood), abs=15)


def test_doubt_brings_the_chances_nearer_to_each_other() -> None:
    """As many as an average over what the strengths may be."""
    chance = Random(1)  # noqa: S311
    sure, unsure = Strength(1700, 30), Strength(1500, 200)
    wins = []
    for _ in range(20_000):
        gap = chance.gauss(sure.mu, sure.sigma) - chance.gauss(unsure.mu, unsure.sigma)
        wins.append(1 / (1 + exp(-gap / POINTS_OF_TWO)))
    found = maths.prospects(SCALE, 2, 2, alone(sure, unsure))[0].winning
    assert found == pytest.approx(fmean(wins), abs=0.01)


def test_somebody_is_known_after_enough_games_with_little_doubt() -> None:
    known = Strength(1500, maths.KNOWN_DOUBT - 1)
    assert maths.is_known(known, maths.KNOWN_GAMES)
    assert not maths.is_known(known, maths.KNOWN_GAMES - 1)
    assert not maths.is_known(Strength(1500, maths.KNOWN_DOUBT), 1000)


def test_the_same_pair_again_and_again_and_who_only_plays_with_you_count_less() -> None:
    assert maths.counts(0, 50) == 1
    assert maths.counts(maths.HALF_AFTER, 50) == 0.5
    assert maths.counts(0, 0) == 1 / maths.TRUSTED_AFTER
    assert maths.counts(0, 4) == 0.5
    assert maths.counts(200, 0) < 1e-6


def test_the_winner_is_easier_to_predict_than_the_places() -> None:
    """Where that was measured: only the chance to win is greater for the strongest."""
    table = alone(Strength(1700, 50), *[Strength(1500, 50)] * 3)
    whole = maths.prospects(SCALE, 4, 4, table)
    first = maths.prospects(replace(SCALE, luck_of_winners={"4": 140}), 4, 4, table)
    assert [each.place for each in first] == [each.place for each in whole]
    assert first[0].winning > whole[0].winning + 0.05
    assert sum(each.winning for each in first) == pytest.approx(1)
    assert maths.prospects(replace(SCALE, luck_of_winners={"4": 140}), 3, 3, table[:3]) == (
        maths.prospects(SCALE, 3, 3, table[:3])
    )
