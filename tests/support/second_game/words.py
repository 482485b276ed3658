"""Other words on cards."""

from __future__ import annotations

from games.perudo.words import *  # noqa: F403

NAME = "Other Dice"


def name() -> str:
    return NAME


def tagline() -> str:
    return "A game only of the tests."


def summary() -> str:
    return "It is played like the first one."
