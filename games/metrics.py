"""What is counted and timed here, for whoever watches the site: no die, no code, no name in it.

A label takes one of a few words that are known beforehand. What was bid is never one of them.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # when a counter was made says nothing that its process does not

_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_LATE: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

moves: Final = Counter(
    "perudo_moves", "Moves people made: done, refused, or failed by our fault.", ("do", "result")
)
move_seconds: Final = Histogram(
    "perudo_move_seconds", "From the door of the game to the commit or the refusal.", buckets=_QUICK
)
refusals: Final = Counter("perudo_refusals", "Deeds at a table refused, by reason.", ("reason",))

frames: Final = Counter("perudo_frames", "Frames sent to sockets.", ("kind",))
frame_bytes: Final = Counter("perudo_frame_bytes", "Size of the frames sent.", ("kind",))
sockets: Final = Gauge("perudo_sockets", "Sockets that listen now.", ("kind",))
render_seconds: Final = Histogram(
    "perudo_render_seconds", "Time to render a part of a screen anew.", ("part",), buckets=_QUICK
)

ticks: Final = Counter("perudo_clock_ticks", "Looks of the clock at what is due.")
woken: Final = Counter(
    "perudo_clock_woken", "Games the clock woke, and how that went.", ("result",)
)
clock_lag: Final = Histogram(
    "perudo_clock_lag_seconds", "How long a game was overdue when the clock woke it.", buckets=_LATE
)


def sent(kind: str, frame: str) -> None:
    """One frame went out to one socket."""
    frames.labels(kind).inc()
    frame_bytes.labels(kind).inc(len(frame.encode()))
