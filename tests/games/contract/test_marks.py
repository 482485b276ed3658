"""The marks of every game that has some: keys, words, symbols, and what random games earn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.contrib.staticfiles import finders
from django.utils import translation

from games.contract import catalogue
from games.contract.game_values import RecordedFact
from games.models import Mark
from tests.games.contract import random_games
from tests.games.contract.arenas import ARENAS
from tests.games.contract.kinds import LANGUAGES
from tests.games.contract.random_games import seeded
from tests.support.sprites import Sprite

BEGAN = datetime(2026, 3, 1, tzinfo=UTC)
with_marks = pytest.mark.parametrize(
    "kind", [each for each in catalogue.every() if each.marks], ids=lambda kind: kind.key
)


@with_marks
def test_three_marks_can_be_earned_alone_and_each_key_is_one(kind: catalogue.GameKind) -> None:
    marks = kind.marks
    assert marks is not None and marks.VERSION >= 1
    assert len(marks.KEYS) == len(set(marks.KEYS)) >= 8
    assert len(marks.ALONE) == len({*marks.ALONE} & {*marks.KEYS}) == 3
    assert {*marks.BY_REVIEW} <= {*marks.KEYS} - {*marks.ALONE}
    longest = Mark._meta.get_field("key").max_length
    assert max(map(len, marks.KEYS)) <= longest  # type: ignore[operator]


@with_marks
def test_each_mark_has_a_symbol(kind: catalogue.GameKind) -> None:
    assert kind.marks is not None and finders.find(f"{kind.key}/marks.svg")
    sprite = Sprite(f"{kind.key}/marks.svg")
    assert set(sprite.drawings) == {*kind.marks.KEYS} and sprite.is_whole()
    assert len(set(sprite.drawings.values())) == len(kind.marks.KEYS), "no two look the same"


@with_marks
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mark_has_a_name_and_a_story(kind: catalogue.GameKind, language: str) -> None:
    assert kind.marks is not None and kind.mark_words is not None
    with translation.override(language):
        names = {kind.mark_words.name(key) for key in kind.marks.KEYS}
        stories = {kind.mark_words.story(key) for key in kind.marks.KEYS}
    assert len(names) == len(stories) == len(kind.marks.KEYS)
    assert all(each.endswith(".") and "%(" not in each for each in stories)
    assert max(map(len, names)) <= 30
    for words in (kind.mark_words.name, kind.mark_words.story):
        with pytest.raises(KeyError):
            words("unheard_of")


@with_marks
def test_random_games_earn_only_what_there_is(kind: catalogue.GameKind) -> None:
    """Whatever is played, also when players leave: each mark once a seat, at a moment of the game.

    A game that goes on is no different: nobody has won it, and nothing fails.
    """
    assert kind.marks is not None
    from_log = import_module(f"games.{kind.key}.moments").from_log
    met = set[str]()
    for number in range(12):
        facts = []
        for step in random_games.steps(ARENAS[kind.key], seeded(number), leaving=0.02):
            facts += step.facts
        recorded = [
            RecordedFact(seq, BEGAN + timedelta(seconds=seq), fact)
            for seq, fact in enumerate(facts, start=1)
        ]
        moments = from_log(recorded)
        seats = range(moments[-1].state.seats)
        for shown in (moments, moments[: len(moments) // 2]):
            found = kind.marks.earned(shown)
            assert {each.key for each in found} <= {*kind.marks.KEYS} - {*kind.marks.BY_REVIEW}
            assert all(0 <= each.moment <= len(shown) and each.seat in seats for each in found)
            assert len({(each.seat, each.key) for each in found}) == len(found)
            assert list(found) == list(kind.marks.earned(shown))
            met |= {each.key for each in found}
    assert met >= {*kind.marks.ALONE} - {"first_win"}
