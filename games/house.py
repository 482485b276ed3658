"""What the house plays: for bots, for sleepers, and for those who left."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from games import log
from games.core.contract import Chance
from games.models import Game, Seat
from games.rules import rules_of

# Turns in a row that a person may sleep through before a bot takes his cup for him.
SLEEPS_AFTER = 2
STAND_IN = "steady"

logger = logging.getLogger(__name__)


def turn_of(game: Game, seat: Seat, state: Any, *, chance: Chance) -> Any:
    """The move of the seat to speak when its time is up; counts a turn its person missed.

    A bot that chooses nothing legal is played for like a sleeper: the table must go on.
    """
    rules = rules_of(game.rules)
    kind = seat.bot or (STAND_IN if seat.asleep and not seat.gone else "")
    if kind:
        chosen = _choice(game, kind, seat.number, chance=chance)
        if chosen in rules.legal_moves(state, seat.number):
            return chosen
        logger.error("a %s bot chose no legal move in game %s", kind, game.code)
    elif not seat.gone:
        seat.missed += 1
        seat.asleep = seat.missed >= SLEEPS_AFTER
    return rules.timeout_move(log.known_to(game, seat.number), seat.number)


def interruption(
    game: Game, seats: Sequence[Seat], state: Any, others: Iterable[int], *, chance: Chance
) -> tuple[int, Any] | None:
    """The call of the first bot out of turn that wants to interrupt; None when nobody does."""
    for number in others:
        kind = seats[number].bot
        call = kind and _choice(game, kind, number, chance=chance)
        if call and call in rules_of(game.rules).legal_moves(state, number):
            return number, call
    return None


def _choice(game: Game, kind: str, number: int, *, chance: Chance) -> Any:
    """What a bot in this seat would do; it is given what the seat knows and nothing else."""
    return rules_of(game.rules).BOTS[kind](log.known_to(game, number), number, chance)
