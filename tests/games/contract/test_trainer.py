"""Every odds trainer asks fairly: the same for all, as often yes as no, in every language."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import override

from games.contract import catalogue
from games.contract.catalogue import GameKind
from games.contract.game_values import OddsQuestion

KINDS = [kind for kind in catalogue.every() if kind.trainer is not None]
NUMBERS = range(1, 11)

pytestmark = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)


def question(kind: GameKind, seed: int, number: int) -> OddsQuestion:
    assert kind.trainer is not None
    return kind.trainer.odds_question(seed, number)


def test_the_same_two_numbers_ask_the_same(kind: GameKind) -> None:
    asked = [question(kind, seed, number) for seed in range(20) for number in NUMBERS]
    again = [question(kind, seed, number) for seed in range(20) for number in NUMBERS]
    assert asked == again
    assert len({json.dumps(each.values) for each in asked}) > 0.9 * len(asked)


def test_neither_answer_is_the_better_guess(kind: GameKind) -> None:
    for number in NUMBERS:
        likely = sum(question(kind, seed, number).is_likely for seed in range(400))
        assert 150 < likely < 250, number  # five standard deviations of a fair coin


def test_the_reason_is_one_sentence_in_the_readers_language(
    kind: GameKind, subtests: pytest.Subtests
) -> None:
    for language in dict(settings.LANGUAGES):
        with subtests.test(language=language):
            with override(language):
                mine = [question(kind, 3, number) for number in NUMBERS]
            with override("en" if language != "en" else "it"):
                other = [question(kind, 3, number) for number in NUMBERS]
            for one, same in zip(mine, other, strict=True):
                assert one.reason.endswith(".") and one.reason != same.reason
                assert one.short and one.is_likely == same.is_likely
                assert "%(" not in one.reason


def test_the_template_shows_a_question_and_not_its_answer(kind: GameKind) -> None:
    template = get_template(f"{kind.key}/_odds_question.html")
    shown = template.render({"q": question(kind, 3, 1).values})
    assert shown.strip() and question(kind, 3, 1).reason not in shown
