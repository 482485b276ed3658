"""Perudo as a game of the catalogue: exactly the names of `games.core.contract.Rules`."""

from __future__ import annotations

from typing import Final

from games.perudo.rules.decide import decide
from games.perudo.rules.events import FACTS
from games.perudo.rules.evolve import evolve
from games.perudo.rules.moves import parse
from games.perudo.rules.options import Options
from games.perudo.rules.outcome import outcome, ranking
from games.perudo.rules.replay_inputs import cause, judged_by, recorded_chance, restart
from games.perudo.rules.rounds import SEATS, start
from games.perudo.rules.state import finished_round, in_play
from games.perudo.rules.turns import (
    cuts_off,
    due_moves,
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
    "SEATS",
    "cause",
    "cuts_off",
    "decide",
    "due_moves",
    "evolve",
    "finished_round",
    "in_play",
    "judged_by",
    "legal_moves",
    "recorded_chance",
    "outcome",
    "parse",
    "ranking",
    "read_options",
    "restart",
    "start",
    "timeout_move",
    "to_act",
    "waiting",
]
