"""Perudo, as a game of the catalogue: exactly the names of `games.rules.contract.Rules`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.rules.perudo.allow import (
    cuts_off,
    due_moves,
    leave_move,
    legal_moves,
    timeout_move,
    to_act,
)
from games.rules.perudo.bots import Bot, beginner, sharp, steady
from games.rules.perudo.decide import SEATS, decide, start
from games.rules.perudo.events import FACTS
from games.rules.perudo.moves import MOVES, parse
from games.rules.perudo.options import Options
from games.rules.perudo.reasons import REASONS
from games.rules.perudo.state import (
    evolve,
    finished_round,
    in_play,
    outcome,
    phase,
    standing,
)

KEY: Final = "perudo"
read_options = Options.from_json
BOTS: Final[Mapping[str, Bot]] = {"beginner": beginner, "steady": steady, "sharp": sharp}

__all__ = [
    "BOTS",
    "FACTS",
    "KEY",
    "MOVES",
    "REASONS",
    "SEATS",
    "cuts_off",
    "decide",
    "due_moves",
    "evolve",
    "finished_round",
    "in_play",
    "leave_move",
    "legal_moves",
    "outcome",
    "parse",
    "phase",
    "read_options",
    "standing",
    "start",
    "timeout_move",
    "to_act",
]
