"""The journal: one line in the log for every move and every refusal, and their counts.

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
from games.refusal import Refused

Rest = ParamSpec("Rest")
# (code, seat, move, …) → the number the game stands at afterwards
Move = Callable[Concatenate[str, int, Any, Rest], int]

logger = logging.getLogger(__name__)


def noted(move: Move[Rest]) -> Move[Rest]:
    """A door that counts and times the moves that go through, and notes those that are made."""

    @wraps(move)
    @sensitive_variables()
    def door(code: str, seat: int, made: Any, /, *args: Rest.args, **rest: Rest.kwargs) -> int:
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
        told = {"game": code, "seat": seat, "do": made.kind, "seq": seq, "ms": _ms(seconds)}
        logger.info("moved", extra=told)
        return seq

    return door


def refused(code: str, deed: str, reason: str) -> None:
    """Somebody's deed at this table was refused, for a reason with a name."""
    metrics.refusals.labels(reason).inc()
    logger.info("refused", extra={"game": code, "deed": deed, "reason": reason})


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
