"""Perudo as a game of the catalogue: exactly the names of `games.core.contract.Rules`."""

from __future__ import annotations

from typing import Final

from games.perudo.rules.decide import SEATS, decide, start
from games.perudo.rules.events import FACTS
from games.perudo.rules.moves import MOVES, parse
from games.perudo.rules.options import Options
from games.perudo.rules.reasons import REASONS
from games.perudo.rules.replay_inputs import cause, judged_by, recorded_chance, restart
from games.perudo.rules.state import evolve, finished_round, in_play, outcome, phase, standing
from games.perudo.rules.turns import (
    cuts_off,
    due_moves,
    leave_move,
    legal_moves,
    timeout_move,
    to_act,
    waiting,
)

KEY: Final = "perudo"
read_options = Options.from_json

__all__ = [
    "FACTS",
    "KEY",
    "MOVES",
    "REASONS",
    "SEATS",
    "cause",
    "cuts_off",
    "decide",
    "due_moves",
    "evolve",
    "finished_round",
    "in_play",
    "judged_by",
    "leave_move",
    "legal_moves",
    "recorded_chance",
    "outcome",
    "parse",
    "phase",
    "read_options",
    "restart",
    "standing",
    "start",
    "timeout_move",
    "to_act",
    "waiting",
]
