"""Prometheus metrics of the games, without dice, bids, table codes or names.

Every label has a small, fixed set of values.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # the start time of the process is enough

_FAST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_LAG_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

moves: Final = Counter(
    "perudo_moves", "Moves of people: done, refused, or failed by a server error.", ("do", "result")
)
move_seconds: Final = Histogram(
    "perudo_move_seconds",
    "Time from the call of the command to the commit or refusal.",
    buckets=_FAST_BUCKETS,
)
refusals: Final = Counter("perudo_refusals", "Refused actions at a table, by reason.", ("reason",))

frames: Final = Counter("perudo_frames", "Frames sent to sockets.", ("kind",))
frame_bytes: Final = Counter("perudo_frame_bytes", "Size of the frames sent.", ("kind",))
sockets: Final = Gauge("perudo_sockets", "Open WebSockets.", ("kind",))
render_seconds: Final = Histogram(
    "perudo_render_seconds",
    "Time to render a fragment that was not cached.",
    ("part",),
    buckets=_FAST_BUCKETS,
)

ticks: Final = Counter("perudo_clock_ticks", "Runs of the scheduler.")
games_run: Final = Counter(
    "perudo_clock_woken",
    "Games the scheduler tried to advance, by result.",
    ("result",),
)
clock_lag: Final = Histogram(
    "perudo_clock_lag_seconds",
    "How late the scheduler ended the time of people.",
    buckets=_LAG_BUCKETS,
)


class Worst:
    """The largest number observed since the last call of `taken`; 0 if there was none."""

    def __init__(self) -> None:
        self._number = 0.0

    def observe(self, number: float) -> None:
        self._number = max(self._number, number)

    def taken(self) -> float:
        number, self._number = self._number, 0.0
        return number


worst_clock_lag: Final = Worst()
bot_lag: Final = Histogram(
    "perudo_bot_lag_seconds",
    "How late the scheduler made moves of bots, which wait when much is due.",
    buckets=_LAG_BUCKETS,
)
layer_messages: Final = Counter(
    "perudo_layer_messages",
    "Messages received from Redis, by channel: that of a group, or the one common to all.",
    ("channel",),
)
worker_requests: Final = Counter(
    "perudo_worker_requests",
    "What the worker process was to compute: done, failed, or refused.",
    ("result",),
)


def sent(kind: str, size: int) -> None:
    """Count a frame sent to a socket; `size` is in bytes before compression."""
    number, bytes_ = _sent(kind)
    number.inc()
    bytes_.inc(size)


@cache
def _sent(kind: str) -> tuple[Counter, Counter]:
    return frames.labels(kind), frame_bytes.labels(kind)
