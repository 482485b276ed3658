"""The colours of eight players differ for every common colour vision; text stays readable."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

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


def test_any_two_players_colours_are_told_apart_at_a_glance() -> None:
    for vision in (None, "protan", "deutan", "tritan"):
        seen = [dye.filter(vision) if vision else dye for dye in dyes()]
        distances = [one.delta_e(other, method="2000") for one, other in combinations(seen, 2)]
        assert min(distances) > AT_A_GLANCE, vision


def test_every_player_has_a_different_pattern() -> None:
    weaves = re.findall(r"--weave: ([^;]*);", (STYLES / "seats.css").read_text())
    assert len(set(weaves)) == 8


# Words, and what they are written on.
WRITTEN = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink-soft", "paper"),
    ("ink-soft", "card"),
    ("accent", "paper"),
    ("on-wood", "wood"),
    ("gold-text", "paper"),
    ("good", "card"),
    ("bad", "card"),
]


def test_words_stand_out_from_what_they_are_written_on() -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1 for text of ordinary size."""
    faint = [
        (words, ground, theme)
        for words, ground in WRITTEN
        for theme in ("light", "dark")
        if token(words, theme).contrast(token(ground, theme), method="wcag21") < 4.5
    ]
    assert faint == []


GROUNDS = ("panel", "panel-deep", "plate")
# On the stage, which has one theme. What lies on bone has fixed colours.
WRITTEN_ON_STAGE = [
    *[(words, ground) for words in ("ink", "ink-soft") for ground in ("paper", "card", "sunk")],
    *[(words, ground) for words in ("ink", "ink-soft", "gold-text") for ground in GROUNDS],
    *[(words, "panel") for words in ("accent", "good", "bad")],
    ("#fff8ec", "red"),
    ("#fff8ec", "red-deep"),
    *[(words, "bone-low") for words in ("#2a1609", "#8d2419", "#155c43")],
    ("#241503", "gold"),
]

ON_THE_WALL = ("ink", "ink-soft", "accent", "gold-text", "good", "bad")


def stage_colour(name: str) -> Color:
    if name.startswith("#"):
        return Color(name)
    found = re.search(rf"--{name}: (#\w{{6}})(\w\w)?;", (STYLES / "stage.css").read_text())
    assert found is not None, name
    # A ground that lets the wood through is looked at over the brightest wood there is.
    share = int(found[2], 16) / 255 if found[2] else 1.0
    return Color("#f3cf95").mix(Color(found[1]), share, space="srgb")


def faint_on_the_wall(css: str, words: dict[str, Color], *, least: float) -> list[tuple[str, str]]:
    walls = re.findall(r"--(?:wall|lamp|behind): (#\w+);", css)
    return [
        (name, wall)
        for name, colour in words.items()
        for wall in walls
        if colour.contrast(Color(wall), method="wcag21") < least
    ]


def test_words_stand_out_from_the_wall_by_night_and_by_day() -> None:
    """Who chose light sees it by day, and so does who asks for more contrast, with more of it."""
    css = (STYLES / "stage.css").read_text()
    words = {name: stage_colour(name) for name in ON_THE_WALL}
    by_day = css.partition(':root[data-theme="light"]')[2].partition("}")[0]
    in_contrast = css.partition("@media (prefers-contrast: more) {")[2].partition("}")[0]
    night, *days = (
        Color(part.partition("--wall: ")[2][:7]).luminance() for part in (css, by_day, in_contrast)
    )
    assert min(days) > 3 * night
    assert faint_on_the_wall(css, words, least=4.5) == []
    clearer = re.findall(r"--([\w-]+): (#\w{6});", in_contrast)
    words |= {name: Color(value) for name, value in clearer if name in words}
    words["ink-soft"] = words["ink"]
    assert "--ink-soft: var(--ink);" in in_contrast
    assert faint_on_the_wall(in_contrast, words, least=7) == []


def test_words_on_the_stage_stand_out_from_what_they_are_written_on() -> None:
    """WCAG 2.2, 1.4.3."""
    faint = [
        (words, ground)
        for words, ground in WRITTEN_ON_STAGE
        if stage_colour(words).contrast(stage_colour(ground), method="wcag21") < 4.5
    ]
    assert faint == []
