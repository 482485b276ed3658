"""The questions of the odds trainer: what they hold, how close they are, and their reasons."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.utils.translation import override

from games.contract.game_values import OddsQuestion
from games.perudo import practice, trainer
from games.perudo.rules.bids import PACO

SEEDS = range(150)


def likelihood(asked: OddsQuestion) -> Fraction:
    """How likely the bid is, counted over sums of dice, without the odds of the rules."""
    values = asked.values
    wild = values["face"] != PACO and not values["palifico"]
    fitting = {values["face"], PACO} if wild else {values["face"]}
    held = sum(die in fitting for die in values["hand"])
    ways = [1]  # by how many dice fit
    for _ in range(values["hidden"]):
        fits, others = len(fitting), 6 - len(fitting)
        ways = [
            others * (ways[count] if count < len(ways) else 0)
            + (fits * ways[count - 1] if count else 0)
            for count in range(len(ways) + 1)
        ]
    enough = sum(ways[max(0, values["quantity"] - held) :])
    return Fraction(enough, 6 ** values["hidden"])


@pytest.mark.parametrize("number", [1, 4, 7])
def test_the_answer_is_right_and_never_a_matter_of_taste(number: int) -> None:
    """A later question is closer, but its odds round to no 50 %."""
    closest = Fraction(1)
    for seed in SEEDS:
        asked = trainer.odds_question(seed, number)
        likely = likelihood(asked)
        assert asked.is_likely == (likely > Fraction(1, 2))
        assert 0 < likely < 1
        closest = min(closest, abs(likely - Fraction(1, 2)))
    least = {1: 0.25, 4: 0.15, 7: 0.05}[number]
    assert least <= closest < least + 0.1


def test_questions_are_of_tables_that_exist() -> None:
    questions = [trainer.odds_question(seed, number) for seed in SEEDS for number in (1, 7)]
    for asked in questions:
        values = asked.values
        assert 1 <= len(values["hand"]) <= 5
        assert 2 <= values["hidden"] <= 25
        assert 1 <= values["quantity"] <= len(values["hand"]) + values["hidden"]
    assert {asked.values["face"] for asked in questions} == {1, 2, 3, 4, 5, 6}
    assert {asked.values["palifico"] for asked in questions} == {True, False}


@pytest.mark.parametrize(("language", "half"), [("en", "2.5"), ("fr", "2,5")])
def test_the_reason_has_the_numbers_of_the_question(language: str, half: str) -> None:
    found = set()
    with override(language):
        for seed in range(2000):
            asked = trainer.odds_question(seed, 4)
            values = asked.values
            numbers = re.findall(r"\d+(?:[.,]\d+)?", asked.reason)
            held, needed, hidden, sides, expected, chance = numbers
            assert int(held) + int(needed) == values["quantity"]
            assert int(hidden) == values["hidden"]
            wild = values["face"] != PACO and not values["palifico"]
            assert sides == ("3" if wild else "6")
            assert float(expected.replace(",", ".")) == round(values["hidden"] / int(sides), 1)
            assert int(chance) == round(100 * likelihood(asked))
            found.add(expected)
    assert half in found


def test_the_last_three_of_a_set_are_choices_each_another() -> None:
    for seed in SEEDS:
        asked = [trainer.odds_question(seed, number) for number in (8, 9, 10)]
        assert len({repr(each.values) for each in asked}) == 3
        for each in asked:
            assert each.answers and each.verdict and each.ask.endswith("dudo or raise?")
    assert all(trainer.odds_question(seed, 7).answers is None for seed in SEEDS)


def test_a_choice_shows_the_table_its_player_saw_and_why_it_is_right() -> None:
    for seed in SEEDS:
        asked = trainer.odds_question(seed, 9)
        values, players = asked.values, asked.values["players"]
        assert players[-1]["name"] == "You" and players[-1]["dice"] == len(values["hand"])
        assert sum(each["dice"] for each in players[:-1]) == values["hidden"]
        assert values["bid"] in [bid for each in players for bid in each["bids"]]
        dudo, raised = (
            float(number.replace("−", "-"))
            for number in re.findall(r"[+−]\d\.\d\d|\b0\.00", asked.reason)
        )
        assert (dudo > raised) == asked.is_likely
        assert abs(dudo - raised) >= 0.14  # of what is rounded
        assert ("Dudo is better" in asked.verdict) == asked.is_likely


@pytest.mark.slow
def test_hardly_any_choice_comes_again_in_the_next_set() -> None:
    """And all of them come at some time."""
    found = [practice.question(seed, number) for seed in range(400) for number in (1, 2, 3)]
    assert len({repr(each.values) for each in found}) == sum(
        map(len, practice.rounds_of_practice())
    )
