"""Log lines and metrics of moves and refusals.

A line names the game, the seat and the kind of move; it never contains a bid, a message or a hand.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any, Concatenate, ParamSpec

from django.views.decorators.debug import sensitive_variables

from games import metrics
from games.core.contract import IllegalMove
from games.errors import Refused

Rest = ParamSpec("Rest")
# (code, seat, move, …) → the new `seq` of the game
Move = Callable[Concatenate[str, int, object, Rest], int]

logger = logging.getLogger(__name__)


def logged(move: Move[Rest]) -> Move[Rest]:
    """Decorate a function that makes a move: count and time its calls, and log successful ones."""

    @wraps(move)
    @sensitive_variables()
    def logging_move(
        code: str, seat: int, made: Any, /, *args: Rest.args, **rest: Rest.kwargs
    ) -> int:
        began, result = perf_counter(), "failed"
        try:
            seq = move(code, seat, made, *args, **rest)
            result = "done"
        except (Refused, IllegalMove):
            result = "refused"
            raise
        finally:
            seconds = perf_counter() - began
            metrics.move_seconds.observe(seconds)
            metrics.moves.labels(made.kind, result).inc()
        milliseconds = round(1000 * seconds, 1)
        fields = {"game": code, "seat": seat, "do": made.kind, "seq": seq, "ms": milliseconds}
        logger.info("moved", extra=fields)
        return seq

    return logging_move


def refused(code: str, action: str, reason: str) -> None:
    """Log and count a refused action at a table, with the reason code."""
    metrics.refusals.labels(reason).inc()
    logger.info("refused", extra={"game": code, "action": action, "reason": reason})
