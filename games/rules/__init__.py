"""The catalogue of games. Everything below this folder is pure: standard library only."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from games.rules.contract import Rules

GAMES: Final = {"perudo": "games.rules.perudo"}


def rules_of(key: str) -> Rules:
    """The rules module of a game of the catalogue; KeyError when there is none of that name."""
    return cast("Rules", import_module(GAMES[key]))
