"""The drawn cards: every symbol that the templates name exists, and colour-blind eyes tell the
animals and the dishes apart.
"""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from coloraide import Color

from games.peco_peco.rules.cards import ANIMALS, CARDS
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.templatetags import peco_peco as tags

SPRITE = Path(tags.__file__).parents[1] / "static/peco_peco/cards.svg"
# CIEDE2000: about 2 is just noticeable, 10 is seen at a glance.
FAR_APART = 18.0
USE = re.compile(r'href="[^"]*cards\.svg#([\w-]+)"')


def symbols() -> dict[str, ElementTree.Element]:
    root = ElementTree.parse(SPRITE).getroot()  # noqa: S314 - a file of our own
    return {found.attrib["id"]: found for found in root.iter("{http://www.w3.org/2000/svg}symbol")}


def fill(name: str) -> Color:
    """The colour of a card's frame, which is also that of the animal or dish on it."""
    ring = symbols()[f"card-{name}"].findall("{http://www.w3.org/2000/svg}path")[-1]
    return Color(ring.attrib["fill"])


def pattern(name: str) -> str:
    """The path of the pattern behind an animal."""
    return symbols()[f"card-{name}"].findall("{http://www.w3.org/2000/svg}path")[0].attrib["d"]


def test_any_two_kinds_are_far_apart_for_every_kind_of_colour_vision(
    subtests: pytest.Subtests,
) -> None:
    kinds = (tuple(tags.ANIMALS.values()), FOODS)
    for names, vision in product(kinds, (None, "protan", "deutan", "tritan")):
        with subtests.test(names=names, vision=vision):
            seen = [fill(name).filter(vision) if vision else fill(name) for name in names]
            distances = [one.delta_e(other, method="2000") for one, other in combinations(seen, 2)]
            assert min(distances) > FAR_APART


def test_every_animal_has_a_colour_of_its_own_in_its_head_and_a_pattern_of_its_own() -> None:
    for name in tags.ANIMALS.values():
        head = ElementTree.tostring(symbols()[name], encoding="unicode")
        assert fill(name).to_string(hex=True) in head
    assert len({pattern(name) for name in tags.ANIMALS.values()}) == len(ANIMALS)


def test_a_card_uses_symbols_of_the_sprite(subtests: pytest.Subtests) -> None:
    known = set(symbols())
    for code in (*CARDS, None):
        with subtests.test(code=code):
            used = USE.findall(tags.animal_card(code))
            assert used
            assert set(used) <= known


def test_the_back_of_a_card_is_decoration() -> None:
    assert 'aria-hidden="true"' in tags.animal_card(None)


def test_a_card_has_a_name(subtests: pytest.Subtests) -> None:
    for code in CARDS:
        with subtests.test(code=code):
            drawn = tags.animal_card(code)
            assert re.search(r'role="img" aria-label="[^"\s][^"]*[^"\s]"', drawn)
            assert "aria-label" not in tags.animal_card(code, silent=True)


def test_every_card_has_a_name_of_its_own() -> None:
    names = [re.findall(r'aria-label="(.*?)"', tags.animal_card(code)) for code in CARDS]
    assert len({tuple(name) for name in names}) == len(CARDS)


def test_a_stake_shows_its_dishes_its_deal_its_direction_and_its_signs(
    subtests: pytest.Subtests,
) -> None:
    known = set(symbols())
    for stake in STAKES.values():
        with subtests.test(stake.id):
            drawn = tags.stake_card(stake.id)
            used = USE.findall(drawn)
            assert set(used) <= known
            assert used.count(stake.food) == stake.dishes
            assert tags.DIRECTIONS[stake.direction] in used
            assert (stake.rule in used) == (stake.rule != "none")
            assert ("tilt" in used) == stake.tilt
            assert ("more" in used, "fewer" in used) == (stake.extra > 0, stake.extra < 0)
            assert f">{stake.deal}</text>" in drawn
