"""Peco Peco as a game of the catalogue: exactly the names of `games.core.contract.Rules`."""

from __future__ import annotations

from typing import Final

from games.peco_peco.rules.decide import decide
from games.peco_peco.rules.events import FACTS
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import parse
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.outcome import outcome, ranking
from games.peco_peco.rules.replay_inputs import cause, judged_by, recorded_chance, restart
from games.peco_peco.rules.rounds import SEATS, start
from games.peco_peco.rules.state import finished_round, in_play
from games.peco_peco.rules.turns import (
    cuts_off,
    due_moves,
    legal_moves,
    timeout_move,
    to_act,
    waiting,
)

KEY: Final = "peco_peco"
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
