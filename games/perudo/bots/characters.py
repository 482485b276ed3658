"""The characters of Perudo: who they are, how strong, and how fast they decide."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from games.core.characters import Character
from games.perudo.bots import tempers

_drawn = partial(Character, drawings="perudo/characters.svg")

CHARACTERS: Final[Mapping[str, Character]] = {
    "crela": _drawn(
        "Crela",
        base="beginner",
        bot=tempers.trusting,
        face="sloth",
        cloth="lake",
        weave="zigzag",
        pace=1.35,
        spread=0.25,
    ),
    "zigo": _drawn(
        "Zigo",
        base="steady",
        bot=tempers.moody,
        face="monkey",
        cloth="violet",
        weave="dashes",
        pace=0.9,
        spread=0.6,
    ),
    "sulmo": _drawn(
        "Sulmo",
        base="sharp",
        bot=tempers.careful,
        face="tortoise",
        cloth="maize",
        weave="diamonds",
        pace=1.3,
        spread=0.15,
    ),
    "fanfo": _drawn(
        "Fanfo",
        base="expert",
        bot=tempers.bluffer,
        face="tunki",
        cloth="indigo",
        weave="zigzag",
        pace=0.8,
        spread=0.3,
    ),
    "tokka": _drawn(
        "Tokka",
        base="expert",
        bot=tempers.calza_friend,
        face="hummingbird",
        cloth="wine",
        weave="steps",
        pace=0.7,
        spread=0.35,
    ),
}
