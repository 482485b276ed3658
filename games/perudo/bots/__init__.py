"""The bots of Perudo: functions from the state as their seat knows it, and chance, to a move.

`state.dice` follows from public facts, so a bot uses the number of dice also where lost dice are
hidden (P45). It never reads a hand but its own. None means that it may not move, or does not want
to interrupt.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

# numpy computes on one thread: a second one would take the core of other games.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from games.perudo.bots.answer import Bot  # noqa: E402
from games.perudo.bots.beginner import beginner  # noqa: E402
from games.perudo.bots.expert import expert, expert_among_weaker, strongest  # noqa: E402
from games.perudo.bots.sharp import sharp, sharp_among_weaker  # noqa: E402
from games.perudo.bots.steady import steady  # noqa: E402

BOTS: Final[Mapping[str, Bot]] = {
    "beginner": beginner,
    "steady": steady,
    "sharp": sharp,
    "expert": expert,
}
# As they play at a table with weaker ones, where a leap would end the round before it has begun.
MIXED: Final[Mapping[str, Bot]] = {
    **BOTS,
    "sharp": sharp_among_weaker,
    "expert": expert_among_weaker,
}
MEASURED: Final[Mapping[str, Bot]] = {"strongest": strongest}  # in tournaments only
STAND_IN: Final = "steady"  # plays for absent people

__all__ = ["BOTS", "MEASURED", "MIXED", "STAND_IN", "Bot"]
