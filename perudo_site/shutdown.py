"""The end of a process has a limit that nothing in it can hold up: no thread, no lock, no database.

An alarm of the operating system needs no thread and no event loop. When it goes off, the stacks of
all threads are written to stderr, and the process is ended by the signal: its status is 14/ALRM.
"""

from __future__ import annotations

import faulthandler
import signal
from typing import Final

# What the steps of an end add up to, with a second to spare; a shorter limit makes each shorter.
ALL_SECONDS: Final = 45.0


def share(seconds: float, *, of: float) -> float:
    """How long a step that has `seconds` of 45 may take when the whole end has `of` seconds."""
    return seconds * of / ALL_SECONDS


def end_at_the_latest(seconds: float) -> None:
    """From now on this process has so many seconds to live."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    faulthandler.register(signal.SIGALRM, all_threads=True, chain=True)
    signal.setitimer(signal.ITIMER_REAL, seconds)
