"""The judge of Perudo: what it may know, how its accounts add up, and whom it ranks above whom."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from games.core.contract import Fact
from games.perudo.bots import network, two_left_values
from games.perudo.review import JUDGE, analyse, chances, judge
from games.perudo.review.ledger import accuracy, label
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import DieLost, Revealed, Rolled, RoundStarted
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import PRESETS, SITE_OPTIONS
from games.perudo.tests.reviewed_games import better_dice, facts_of, record_of, review_of
from games.perudo.tests.tables import table
from tests.games.contract.random_games import seeded

GOLDEN: Final = Path(__file__).with_name("reviewed_game.json")
PARTS: Final = ("own", "gifts", "machine", "rolls", "bids", "reveals", "residual")
TABLE: Final = ("expert", "sharp", "steady", "beginner")


def test_the_judge_is_named_after_the_network_it_asks() -> None:
    assert JUDGE.rpartition(".")[0] == f"expert {network.network().version}"


@pytest.mark.parametrize("preset", PRESETS)
def test_accounts_add_up_exactly(preset: str) -> None:
    for calza, seats in product(("off", "on"), (2, 4, 6)):
        options = replace(PRESETS[preset], calza=calza)
        found = review_of((*TABLE, "expert", "steady")[:seats], f"{preset} {seats}", options)
        for each in found["accounts"]:
            change = sum(each[part] for part in PARTS)
            assert abs(each["last"] - each["first"] - change) < 1e-9
            assert abs(each["luck"] - each["rolls"] - each["bids"] - each["reveals"]) < 1e-9
            assert each["first"] == pytest.approx(1 / seats)
            assert each["own"] <= 0 <= each["gifts"]
        assert sorted(each["last"] for each in found["accounts"]) == [0.0] * (seats - 1) + [1.0]
        for parts in (["own", "gifts"], ["machine"], ["luck"], ["residual"]):  # what one wins
            assert abs(sum(each[part] for each in found["accounts"] for part in parts)) < 1e-9
        for _number, row in found["chances"]:
            assert sum(row) == pytest.approx(1, abs=1e-3)


def test_the_hidden_dice_of_others_change_no_judgement() -> None:
    """One round: with other dice under the others' cups a seat's decisions are judged alike."""
    facts = _one_round(facts_of(TABLE, "hidden"))
    [revealed] = [fact for fact in facts if isinstance(fact, Revealed)]
    caller = revealed.caller
    own = _decisions(facts, caller)
    assert len(own) > 1
    generator, different = seeded(3), 0
    for _ in range(20):
        hands = tuple(
            hand if seat == caller else tuple(sorted(generator.choices(range(1, 7), k=len(hand))))
            for seat, hand in enumerate(revealed.hands)
        )
        assert _decisions(_with_hands(facts, hands), caller) == own
        different += hands != revealed.hands
    assert different == 20


def _one_round(facts: Sequence[Fact]) -> list[Fact]:
    """The first round alone; what it led to is left out."""
    second = [n for n, fact in enumerate(facts) if isinstance(fact, RoundStarted)][1]
    return list(facts[:second])


def _with_hands(facts: Sequence[Fact], hands: Any) -> list[Fact]:
    new: list[Fact] = []
    for fact in facts:
        match fact:
            case Rolled(seat):
                new.append(Rolled(seat, hands[seat]))
            case Revealed():
                new.append(replace(fact, hands=hands))
            case _:
                new.append(fact)
    return new


def _decisions(facts: Sequence[Fact], seat: int) -> list[Any]:
    found = analyse(record_of(facts, len(TABLE)))
    return [each for each in found["decisions"] if each["seat"] == seat]


def test_moves_of_bots_and_of_the_clock_are_nobodys_errors() -> None:
    facts = facts_of(("beginner",) * 4, "errors")
    people = analyse(record_of(facts, 4))
    assert any(each["label"] for each in people["decisions"])
    for found in (
        analyse(record_of(facts, 4, bots=range(4))),
        analyse(record_of(facts, 4, automatic=range(len(facts) + 1))),
    ):
        assert not any(each["label"] for each in found["decisions"])
        for each in found["accounts"]:
            assert each["own"] == each["gifts"] == 0 != each["machine"]
            assert each["inaccuracies"] == each["mistakes"] == each["blunders"] == 0
    assert {each["by"] for each in found["decisions"]} == {"clock"}
    assert all(each["accuracy"] is None for each in found["accounts"])


def test_labels_and_accuracy_follow_the_published_curve() -> None:
    assert [label(each) for each in (0.0, 0.0999, 0.1, 0.25, 0.5, 2.0)] == [
        *(None, None, "inaccuracy", "mistake", "blunder", "blunder")
    ]
    assert accuracy(0.0) == pytest.approx(0.99999, abs=1e-4)
    assert accuracy(0.25) == pytest.approx((103.1668 * np.exp(-0.04354 * 12.5) - 3.1669) / 100)
    assert accuracy(2.0) == 0.0


def test_the_luck_of_all_rolls_is_nothing() -> None:
    """Of up to three dice each roll is weighed: the mean of the luck over all is 0."""
    for hand in ((2,), (3, 4), (2, 3, 4)):
        state = table([hand, (6, 6), (5,)], bid="2x5", bidder=2)
        counts, weights = judge.rolls(len(hand), [1])
        total, earlier = 0.0, []
        for row, weight in zip(counts, weights, strict=True):
            dice = tuple(face for face in range(1, 7) for _ in range(row[face]))
            held = replace(state, hands=(dice, *state.hands[1:]))
            found = judge.roll_of(held, judge.judge(held, 0, Dudo()), [1])
            total += weight * found.luck
            earlier.append(found.before)
        assert abs(total) < 1e-6
        np.testing.assert_allclose(earlier, [earlier[0]] * len(earlier))


def test_sampled_rolls_are_fair_and_follow_the_seed() -> None:
    counts, weights = judge.rolls(5, [1, 2])
    assert (counts.sum(axis=1) == 5).all() and weights.sum() == pytest.approx(1)
    assert (judge.rolls(5, [1, 2])[0] == counts).all()
    assert (judge.rolls(5, [1, 3])[0] != counts).any()
    many = np.mean([judge.rolls(5, [seed])[0].mean(axis=0) for seed in range(300)], axis=0)
    np.testing.assert_allclose(many[1:], 5 / 6, atol=0.04)


def test_chances_between_rounds() -> None:
    """Equal dice are equal chances, fewer dice fewer; the guide's self-play is near ours."""
    assert chances.of_dice((5,) * 6) == pytest.approx([1 / 6] * 6)
    assert chances.of_dice((0, 3, 0, 0)) == pytest.approx([0, 1, 0, 0])
    for dice in ((5, 4), (5, 5, 4, 1), (1, 2, 3, 4, 5, 5)):
        found = chances.of_dice(dice)
        assert found.sum() == pytest.approx(1)
        order = sorted(range(len(dice)), key=lambda seat: dice[seat])
        assert all(found[a] < found[b] or dice[a] == dice[b] for a, b in pairwise(order))
    assert chances.of_dice((4, 5, 5, 5, 5, 5))[0] == pytest.approx(0.0935, abs=0.02)
    assert chances.of_dice((5, 5, 5, 5, 5, 3))[5] == pytest.approx(0.0404, abs=0.015)
    assert chances.of_dice((4, 5, 5, 5))[0] == pytest.approx(0.1593, abs=0.05)


def test_every_table_of_dice_has_its_chances() -> None:
    assert len(chances.table()) == 210 + 126 + 70 + 35 + 15
    for dice, each in chances.table().items():
        assert set(each) == set(dice)
        assert sum(each[own] for own in dice) == pytest.approx(1, abs=1e-3)


def test_plain_odds_are_those_of_the_dice_that_the_seat_sees() -> None:
    """The rulebooks' round (odds.md): 21 dice, nine fives, the bidder holds 5, 5, paco."""
    hands = [(1, 2, 3, 5, 5), (2, 3, 4, 6), (2, 3, 4, 6), (2, 3, 4, 6), (2, 3, 4, 6)]
    state = table(hands)
    assert judge.plain_odds(state, 0, Bid(9, 5)) == pytest.approx(6500971 / 14348907, abs=1e-12)
    bid = table(hands, bid="9x5", bidder=4)
    assert judge.plain_odds(bid, 0, Dudo()) == pytest.approx(1 - 6500971 / 14348907, abs=1e-12)
    assert judge.plain_odds(bid, 0, Calza()) == pytest.approx(0.190495, abs=1e-6)
    assert judge.needed(bid, 0, Bid(9, 5)) == (16, 6)


def test_two_players_left_are_judged_by_the_tables() -> None:
    """What a move is worth is how likely the die is kept, as the tables know; not with calza on."""
    hands = [(1, 6), (2, 6, 6)]
    for settings, by_tables in (({}, True), ({"calza": "on"}, False)):
        state = table(hands, bid="2x6", bidder=1, **settings)
        found = judge.judge(state, 0, Dudo())
        kept = two_left_values.values(state, 0)
        assert (kept is not None) == by_tables
        if kept is not None:
            by_move = dict(kept)
            expected = [2 * by_move[move] - 1 for move in found.moves if move is not None]
            assert found.values.tolist() == pytest.approx(expected)


def test_a_wild_doubt_costs_most_and_a_sound_one_nothing() -> None:
    safe = table([(1, 1, 6), (2, 3), (4, 5)], bid="3x6", bidder=2)
    found = judge.judge(safe, 0, Dudo())
    assert label(found.regret) == "blunder"
    sound = table([(2, 3, 4), (2, 3), (4, 5)], bid="6x6", bidder=2)
    assert judge.judge(sound, 0, Dudo()).regret < 0.02


def test_a_calza_out_of_turn_is_judged_against_silence() -> None:
    options = replace(SITE_OPTIONS, calza="on")
    seen = 0
    for seed in range(8):
        found = review_of(("beginner",) * 4, seed, options)
        for each in found["decisions"]:
            moves = [option["move"] for option in each["options"]]
            if "pass" in moves:
                assert sorted(moves) == ["pass", '{"kind":"calza"}'] and "calza" in each["played"]
                seen += 1
    assert seen > 0


@pytest.mark.slow
def test_a_loaded_die_shows_as_what_it_is_worth() -> None:
    """Of the seat that has it, mean luck is what it wins, and fair dice bring none of their own."""
    for planted, games in ((False, 24), (True, 24)):
        found = measured(("steady",) * 3, games, loaded=planted)
        worth, luck = found["last"][:, 0] - 1 / 3, found["luck"][:, 0]
        error = 2 * (luck - worth).std() / games**0.5
        own = (found["own"] + found["gifts"])[:, 0].mean()
        assert abs(luck.mean() - worth.mean()) < error + abs(own)
        rolls = found["rolls"][:, 0]
        assert (rolls.mean() > 3 * rolls.std() / games**0.5) == planted


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_luck_telescopes_where_nobody_errs(seats: int) -> None:
    """What is left then is who opens the first round: never more than a few points."""
    for number in range(4 if seats == 2 else 2):
        for each in review_of(("judges",) * seats, f"no errors {number}")["accounts"]:
            assert each["own"] == each["gifts"] == 0
            assert abs(each["luck"]) <= 1
            assert abs(each["residual"]) < 0.05


def test_the_decisions_that_cost_most_are_no_best_moves() -> None:
    """Cost, label and the better move are of one measure, in strong players' games too."""
    labelled = 0
    for seats, kind in ((3, "expert"), (4, "strongest"), (4, "steady"), (2, "expert")):
        for each in review_of((kind,) * seats, f"costly {seats}")["decisions"]:
            by_move = {option["move"]: option for option in each["options"]}
            best, played = by_move[each["best"]], by_move[each["played"]]
            lost = best["chance"] - played["chance"]
            assert each["cost"] == pytest.approx(max(0.0, lost), abs=2e-4)
            assert best["value"] - played["value"] == pytest.approx(each["regret"], abs=2e-4)
            if each["label"]:
                assert each["best"] != each["played"] and each["regret"] >= 0.0999
                labelled += 1
    assert labelled > 5


def test_what_a_lost_die_takes_is_by_the_dice_that_everybody_has() -> None:
    """Between two it is all of the game with the last die; at the start it is what it is to all."""
    found = review_of(("steady", "sharp"), "a die")
    last = found["decisions"][-1]["game"]["die"]
    assert last[0] > 1.5 * last[1] > 0
    [start] = {each["game"]["die"][1] for each in found["decisions"]}
    assert start == pytest.approx(0.5 - chances.of_dice((4, 5))[0], abs=1e-4)
    first = found["decisions"][0]["game"]["die"]
    assert first[0] == first[1]


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_remainder_and_the_parts_of_luck_do_not_depend_on_each_other(seats: int) -> None:
    """A roll that counted twice would fall back: in the remainder, or in the other luck."""
    found = measured(("expert", "sharp", "steady", "expert", "sharp", "steady")[:seats], 2000)
    luck, rolls = found["luck"].ravel(), found["rolls"].ravel()
    assert abs(slope(luck, found["residual"].ravel())) < 0.05
    assert abs(slope(rolls, (found["bids"] + found["reveals"]).ravel())) < 0.1


def slope(x: Any, y: Any) -> float:
    return float(np.cov(x, y)[0, 1] / x.var(ddof=1))


def measured(kinds: Sequence[str], games: int, *, loaded: bool = False) -> dict[str, Any]:
    """Of each part of the accounts of many games, an array (games, seats)."""
    rows = []
    for number in range(games):
        turned = kinds[number % len(kinds) :] + kinds[: number % len(kinds)]
        facts = facts_of(turned, f"measured {number}", loaded=better_dice if loaded else _fair)
        rows.append(analyse(record_of(facts, len(kinds)))["accounts"])
    names = (*PARTS, "luck", "last")
    return {name: np.array([[each[name] for each in row] for row in rows]) for name in names}


def _fair(fact: Fact) -> Fact:
    return fact


def test_the_review_of_a_game_stays_as_it_was_committed() -> None:
    """`python -m games.perudo.tests.test_review` writes it anew, for a new judge."""
    kept = json.loads(GOLDEN.read_text())
    assert _alike(kept["review"], _rounded(analyse(kept["game"])))


def _alike(old: Any, new: Any) -> bool:
    """Whether two reviews are the same, but for how a processor adds up (in the last place)."""
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(_alike(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_alike, old, new))
    if isinstance(old, float):
        return abs(old - new) < 0.011
    return bool(old == new)


def _rounded(review: Any) -> Any:
    return json.loads(json.dumps(review), parse_float=lambda text: round(float(text), 2))


def test_a_game_has_its_end_in_the_review() -> None:
    facts = facts_of(TABLE, "end")
    lost = [fact for fact in facts if isinstance(fact, DieLost)]
    found = analyse(record_of(facts, len(TABLE)))
    calls = [each for each in found["decisions"] if "bid" not in each["played"]]
    assert len(calls) == len(lost)
    assert len(json.dumps(found)) < 400_000


if __name__ == "__main__":
    game = json.loads(GOLDEN.read_text())["game"]
    kept = {"game": game, "review": _rounded(analyse(game))}
    GOLDEN.write_text(json.dumps(kept, indent=1) + "\n")
