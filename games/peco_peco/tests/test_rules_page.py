"""The page of rules: every icon, stake, rule and preset of the rules is on it."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from games.peco_peco import rules_page, words
from games.peco_peco.rules import SEATS
from games.peco_peco.rules.cards import DECK, ICONS_PER_ANIMAL, icon
from games.peco_peco.rules.options import CHOICES, PRESETS, SITE_PRESET
from games.peco_peco.rules.scoring import Laid, value
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.templatetags.peco_peco import DIRECTIONS, ICONS

LANGUAGES = ["en", "fr", "it", "es"]


def context(language: str = "en") -> dict[str, Any]:
    with translation.override(language):
        return rules_page.context()


def test_the_numbers_are_those_of_the_rules() -> None:
    given = context()
    assert (given["fewest"], given["most"]) == (SEATS[0], SEATS[-1])
    assert given["deck"] == len(DECK)
    assert given["plain"] == sum(not icon(card) for card in DECK)
    assert given["plain"] + sum(each["count"] for each in given["icons"]) == given["deck"]


def test_every_icon_is_drawn_and_explained(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            found = {each["sign"]: each for each in context(language)["icons"]}
            assert set(found) == {ICONS[code] for code in ICONS_PER_ANIMAL if code}
            with translation.override(language):
                for code in filter(None, ICONS_PER_ANIMAL):
                    assert found[ICONS[code]]["name"] == words.icon(code)
                    assert found[ICONS[code]]["help"] == words.icon_help(code)


def test_every_stake_is_there_with_everything_it_says(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            given = {
                one["id"]: one for food in context(language)["foods"] for one in food["stakes"]
            }
            assert set(given) == set(STAKES)
            with translation.override(language):
                for stake in STAKES.values():
                    assert given[stake.id] == {
                        "id": stake.id,
                        "name": words.dishes(stake.dishes, stake.food),
                        "deal": stake.deal,
                        "sign": DIRECTIONS[stake.direction],
                        "direction": words.direction(stake.direction),
                        "rule": words.rule(stake.rule),
                        "extra": words.more_cards(stake.extra),
                        "tilt": stake.tilt,
                    }


def test_the_stakes_stand_with_their_dish() -> None:
    for food in context()["foods"]:
        assert {STAKES[one["id"]].food for one in food["stakes"]} == {food["kind"]}
    assert [food["kind"] for food in context()["foods"]] == list(FOODS)


def test_every_rule_that_a_stake_may_show_is_explained(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            found = {each["sign"]: each for each in context(language)["rules"]}
            assert set(found) == {stake.rule for stake in STAKES.values()} - {"none"}
            with translation.override(language):
                for code, each in found.items():
                    assert each["help"] == words.rule_help(code)


def test_the_presets_are_compared_where_they_differ(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            given = context(language)
            with translation.override(language):
                assert [each["name"] for each in given["presets"]] == list(
                    map(words.preset, PRESETS)
                )
                for (key, options), each in zip(PRESETS.items(), given["presets"], strict=True):
                    for name, value_here in options.to_json().items():
                        elsewhere = {other.to_json()[name] for other in PRESETS.values()}
                        point = (words.setting_label(name), words.setting(name, value_here))
                        assert (point in each["points"]) == (len(elsewhere) > 1), (key, name)
                assert given["site"] == words.preset(SITE_PRESET)


def test_every_value_of_every_setting_is_there() -> None:
    given = dict(context()["settings"])
    for name, values in CHOICES.items():
        assert given[words.setting_label(name)] == [words.setting(name, one) for one in values]


def test_the_example_of_the_page_is_counted_right() -> None:
    assert value([Laid("F05"), Laid("F01"), Laid("F10")]) == 6
    shown = [(STAKES[one].dishes, STAKES[one].food) for one in ("F05", "F01", "F10")]
    assert shown == [(3, "maki"), (1, "maki"), (2, "sushi")]
