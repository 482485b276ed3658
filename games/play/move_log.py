"""One log line for every move and every refusal, and their metrics.

A line says who did what where and when. What was bid, said or held is not in it.
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
Move = Callable[Concatenate[str, int, Any, Rest], int]

logger = logging.getLogger(__name__)


def logged(move: Move[Rest]) -> Move[Rest]:
    """Count and time every call of a function that makes a move, and log those that succeed."""

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
    """Log and count an action at a table that was refused, with the code of the reason."""
    metrics.refusals.labels(reason).inc()
    logger.info("refused", extra={"game": code, "action": action, "reason": reason})
