"""The colours of eight players differ for every common colour vision; text stays readable."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from coloraide import Color

STYLES = Path(__file__).parents[2] / "perudo_site/static/site"
# CIEDE2000: about 2 is just noticeable, 10 is seen at a glance.
AT_A_GLANCE = 10.0


def dyes() -> list[Color]:
    css = (STYLES / "seats.css").read_text()
    return [Color(found) for found in re.findall(r"\[data-seat=\"\d\"\][^}]*?--dye: (#\w+)", css)]


def token(name: str, theme: str) -> Color:
    css = (STYLES / "tokens.css").read_text()
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", css)
    assert found is not None, name
    return Color(found[1] if theme == "light" else found[2])


def test_there_is_a_colour_for_every_seat() -> None:
    assert len(dyes()) == 8


@pytest.mark.parametrize("vision", [None, "protan", "deutan", "tritan"])
def test_any_two_players_colours_are_told_apart_at_a_glance(vision: str | None) -> None:
    seen = [dye.filter(vision) if vision else dye for dye in dyes()]
    distances = [one.delta_e(other, method="2000") for one, other in combinations(seen, 2)]
    assert min(distances) > AT_A_GLANCE


def test_every_player_has_a_different_pattern() -> None:
    weaves = re.findall(r"--weave: ([^;]*);", (STYLES / "seats.css").read_text())
    assert len(set(weaves)) == 8


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("words", "ground"),
    [
        ("ink", "paper"),
        ("ink", "card"),
        ("ink-soft", "paper"),
        ("ink-soft", "card"),
        ("accent", "paper"),
        ("on-wood", "wood"),
        ("gold-text", "paper"),
        ("good", "card"),
        ("bad", "card"),
    ],
)
def test_words_stand_out_from_what_they_are_written_on(words: str, ground: str, theme: str) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1 for text of ordinary size."""
    assert token(words, theme).contrast(token(ground, theme), method="wcag21") >= 4.5
