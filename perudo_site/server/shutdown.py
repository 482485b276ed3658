"""A hard deadline for shutdown that no thread, lock or database can delay.

An alarm of the operating system needs no thread and no event loop. When it goes off, the stacks of
all threads are written to stderr and the signal ends the process, with status 14/ALRM.
"""

from __future__ import annotations

import faulthandler
import signal
from typing import Final

# The sum of the timeouts of all shutdown steps, plus a margin. A shorter deadline scales each step.
DEFAULT_SECONDS: Final = 45.0


def scaled(seconds: float, *, deadline: float) -> float:
    """The timeout of a step that has `seconds` of the default 45 when shutdown has `deadline`."""
    return seconds * deadline / DEFAULT_SECONDS


def set_deadline(seconds: float) -> None:
    """Kill this process if it is still running after `seconds`."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    faulthandler.register(signal.SIGALRM, all_threads=True, chain=True)
    signal.setitimer(signal.ITIMER_REAL, seconds)
