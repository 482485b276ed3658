"""Players who read a page instead of looking at it: what each game adds to them.

A game's part is `games/<key>/tests/page_player.py`, a module with the names of `PagePlayer`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from games.core.contract import Fact
from tests.support.http_client import View

Action = dict[str, object]  # the fields of a move's form


class PagePlayer(Protocol):
    """How they play one game, and how its log shows what they did."""

    TABLE: Mapping[str, object]  # the form of a new table, where it is not as the site proposes
    SEATS: int  # the fewest at a table
    BOT: str  # a kind of bot
    ROUNDS: str  # the query for the stored rounds of the game with this code, up to this number

    def random_action(self, view: View, rng: random.Random) -> Action | None:
        """Some action the screen offers; None where it offers nothing."""

    def fixed_action(self, view: View, made: int) -> Action | None:
        """What a player does without chance, after so many moves of this round; for measuring."""

    def is_result_of(self, action: Action, seat: int, fact: Fact) -> bool:
        """Whether this fact is what the player at this seat asked for."""

    def requesting_seat(self, fact: Fact) -> int | None:
        """The seat whose person must have asked for this fact; None: anybody, or the clock."""

    def allows_repeat(self, fact: Fact) -> bool:
        """Whether a player may do after this fact what they have done before it."""

    def round_row(self, state: Any, seq: int) -> tuple[object, ...]:
        """What `ROUNDS` finds of the round that the fact `seq` has ended."""

    def check(self, state: Any, fact: Fact) -> None:
        """AssertionError unless the rules allow this fact in this unsealed state."""


def of(key: str) -> PagePlayer:
    """That of a game; ModuleNotFoundError where it has none."""
    return cast("PagePlayer", import_module(f"games.{key}.tests.page_player"))
