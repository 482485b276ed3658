"""Log summary of refusals by limits, and of the clocks' delay: one line per minute."""

from __future__ import annotations

import logging
from collections import Counter
from datetime import datetime
from threading import Lock

from prometheus_client import Counter as Metric

from games import metrics
from games.live import fair_queue

refused = Metric(
    "perudo_sockets_refused",
    "Refused to sockets, by what: openings, sockets, messages, frames, or looks put off.",
    ("what",),
)
logger = logging.getLogger(__name__)
_lock = Lock()
_counted: Counter[str] = Counter()


def note(what: str) -> None:
    """Count a refusal for the next log line."""
    with _lock:
        _counted[what] += 1


def of_a_socket(what: str) -> None:
    """Count a refusal to a socket, in a separate metric too."""
    refused.labels(what).inc()
    note(what)


def report(*, now: datetime) -> None:
    """Log the refusals since the last call, if there were any."""
    behind = metrics.worst_clock_lag.taken()
    with _lock:
        counted, total = dict(sorted(_counted.items())), _counted.total()
        _counted.clear()
    if total:
        logger.warning(
            "limits refused %s clocks_behind_ms=%.0f sockets_waiting=%d",
            " ".join(f"{what}={count}" for what, count in counted.items()),
            1000 * behind,
            fair_queue.LOOKS.waiting() + fair_queue.MOVES.waiting(),
        )
