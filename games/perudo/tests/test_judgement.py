"""Decisions with one right answer: the sets that ship, the second judge, and what is told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from games.core.codec import key_of, unpack
from games.core.contract import fold
from games.perudo import judgement, rules
from games.perudo.bots.features import counts_of
from games.perudo.questions import SHIPPED
from games.perudo.review import rollouts
from games.perudo.review.judge import all_rolls
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.tests.tables import table
from games.study.questions import choosing, daily

DUDO = key_of(Dudo())
HANDS = [[2, 2, 3, 4, 6], [1, 6, 6, 5, 5], [2, 3, 4, 5, 6]]


@pytest.fixture(scope="module")
def shipped() -> list[dict[str, Any]]:
    return choosing.shipped(SHIPPED)


@pytest.fixture(scope="module")
def practice() -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in gzip.decompress(judgement.PRACTICE.read_bytes()).splitlines()
    ]


def margin(values: Mapping[str, float]) -> float:
    """How much the best choice is ahead of the best of another kind."""
    best: dict[str, float] = {}
    for name, value in values.items():
        kind = json.loads(name)["kind"]
        best[kind] = max(value, best.get(kind, value))
    first, second, *_ = sorted(best.values(), reverse=True)
    return first - second


# --- the sets ------------------------------------------------------------------------------------


def test_every_round_that_ships_has_one_right_answer_of_the_present_judge(
    shipped: Sequence[Any], practice: Sequence[Any]
) -> None:
    """Run tools/daily_rounds.py when the judge has changed."""
    assert len(shipped) >= 365 and len(practice) >= 100
    for each in [*shipped, *practice]:
        judged = each["judgement"]
        assert judged["judge"] == judgement.JUDGE
        values = list(judged["values"].values())
        assert values == sorted(values, reverse=True)
        assert margin(judged["values"]) >= 0.15 - 1e-9


def test_dudo_is_as_often_right_as_wrong(shipped: Sequence[Any], practice: Sequence[Any]) -> None:
    for rounds in (shipped, practice):
        dudo = sum(next(iter(each["judgement"]["values"])) == DUDO for each in rounds)
        assert 0.35 < dudo / len(rounds) < 0.65


def test_both_judges_say_the_same_again(shipped: Sequence[Any], practice: Sequence[Any]) -> None:
    """Of a sample: the whole set takes minutes."""
    for each in shipped[::80]:
        found = daily.read("perudo", each["facts"], each["moment"])
        assert found is not None
        assert list(each["judgement"]["values"]) == [
            *judgement.judgement(found.known, found.seat)["values"]
        ]
        again = judgement.clear(daily.written(found.told), found.seat)
        assert again == each["judgement"]
        assert again["values"].keys() == found.moves_by_key.keys()
    for each in practice[::60]:
        assert judgement.clear(each["told"], each["seat"]) == each["judgement"]


def test_what_the_trainer_asks_no_day_will_ask(
    shipped: Sequence[Any], practice: Sequence[Any]
) -> None:
    days = set()
    for each in shipped:
        found = daily.read("perudo", each["facts"], each["moment"])
        assert found is not None
        days.add(json.dumps(daily.written(found.told)))
    assert days.isdisjoint(json.dumps(each["told"]) for each in practice)


def test_the_rounds_of_the_trainer_hold_nothing_that_the_player_did_not_know(
    practice: Sequence[Any],
) -> None:
    for each in practice:
        known = fold(rules, (unpack(rules.FACTS, fact) for fact in each["told"]))
        assert [seat for seat, hand in enumerate(known.hands) if hand] == [each["seat"]]


# --- what is clear -------------------------------------------------------------------------------


def test_an_opening_offers_one_kind_of_choice_and_is_never_clear() -> None:
    state = table(HANDS)
    values = judgement.judgement(state, 0)["values"]
    assert {json.loads(name)["kind"] for name in values} == {"bid"}


def test_what_the_second_judge_does_not_see_is_not_clear(
    shipped: Sequence[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = daily.read("perudo", shipped[0]["facts"], shipped[0]["moment"])
    assert found is not None
    told = daily.written(found.told)
    assert judgement.clear(told, found.seat) is not None
    same = [rollouts.Estimate(0.1, 0.05), rollouts.Estimate(0.0, 0.05), rollouts.Estimate(0.0, 0.0)]
    monkeypatch.setattr(
        rollouts, "estimates", lambda _state, _seat, moves, _seed: same[: len(moves)]
    )
    assert judgement.clear(told, found.seat) is None


# --- the second judge ----------------------------------------------------------------------------


def test_what_is_certain_has_its_value_without_an_error() -> None:
    true = table(HANDS, bid="2x6", bidder=0, turn=1)
    assert rollouts.estimates(true, 1, [Dudo()], [1]) == [rollouts.Estimate(-1.0, 0.0)]
    false = table(HANDS, bid="16x6", bidder=0, turn=1)
    assert rollouts.estimates(false, 1, [Dudo()], [1]) == [rollouts.Estimate(0.5, 0.0)]


def test_a_right_calza_gains_a_die_only_where_one_is_missing() -> None:
    """P42: a caller who has all five dice wins none. The hidden dice are the same two."""
    worth = []
    for mine in ([5, 5, 5, 2], [5, 5, 5, 2, 3]):
        state = table([mine, [4], [4]], bid="3x5", bidder=2, turn=0, calza="on")
        [calza] = rollouts.estimates(state, 0, [Calza()], [1])
        worth.append(calza.value)
    exact = (worth[0] + 1) / 2  # right: a die more, wrong: one less
    assert 0.3 < exact < 0.7
    assert worth[1] == pytest.approx(exact - 1, abs=0.06)


def test_a_seat_that_left_doubts_whatever_is_bid() -> None:
    """C5: the clock plays for it. Charlie, who bids next, holds two sixes and no paco."""
    hands = [[2, 2, 3, 4, 5], [1, 2, 2, 5, 5], [2, 3, 4, 6, 6]]
    state = table(hands, bid="1x6", bidder=1, turn=2, gone=[0])
    for bid, value in ((Bid(2, 6), 0.5), (Bid(16, 6), -1.0)):
        assert rollouts.estimates(state, 2, [bid], [1]) == [rollouts.Estimate(value, 0.0)]


def test_hands_are_drawn_as_rolled_where_nothing_was_bid_and_by_the_bids_else() -> None:
    """Bob, who opened with six sixes, holds more of them than a roll would."""
    state = table(HANDS, bid="6x6", bidder=1, turn=2)
    hands = rollouts._drawn_hands(state, 2, np.random.default_rng(1))
    assert (hands[2] == counts_of(HANDS[2])).all()
    means = {seat: hands[seat].mean(axis=0) for seat in (0, 1)}
    rolls, weights = all_rolls(5)
    assert means[0][1:] == pytest.approx((weights @ rolls)[1:], abs=0.1)
    assert means[1][6] + means[1][1] > 5 / 3 + 0.3


def test_the_same_seed_plays_the_same_rounds_and_errors_are_of_their_size() -> None:
    state = table(HANDS, bid="4x5", bidder=0, turn=1)
    moves = [Dudo(), Bid(5, 5)]
    one, other = (rollouts.estimates(state, 1, moves, [seed]) for seed in (1, 2))
    assert one == rollouts.estimates(state, 1, moves, [1])
    for first, second in zip(one, other, strict=True):
        assert 0 < first.error < 0.03
        assert abs(first.value - second.value) < 5 * (first.error + second.error)


# --- what is told --------------------------------------------------------------------------------


def test_a_decision_is_told_as_a_review_would() -> None:
    state = table(HANDS, bid="4x5", bidder=0, turn=1)
    judged = judgement.judgement(state, 1)
    best, *_, worst = judged["values"]
    told = judgement.decision(state, 1, judged, Dudo())
    assert told["played"] == DUDO and told["best"] == best
    assert told["regret"] == pytest.approx(judged["values"][best] - judged["values"][DUDO])
    names = [each["move"] for each in told["options"]]
    assert len(names) == 6 and names[0] == best and DUDO in names
    values = [each["value"] for each in told["options"]]
    assert values == sorted(values, reverse=True)
    assert told["game"]["last"] == [10, 1]  # Bob holds 1 5 5
    move = Bid(**{key: json.loads(worst)[key] for key in ("quantity", "face")})
    hopeless = judgement.decision(state, 1, judged, move)
    assert hopeless["label"] == "blunder" and hopeless["options"][-1]["move"] == worst
