"""For processes in a storm: a sleep that libfaketime does not break, and stacks on demand.

libfaketime hands clock_nanosleep, which is behind Python's sleep, a moment of a clock that it does
not shift; select is not touched by it. On SIGUSR2 the stacks of all threads are added to the file
that STACKS_FILE names.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = _sleep
if "STACKS_FILE" in os.environ:
    faulthandler.register(
        signal.SIGUSR2,
        file=open(os.environ["STACKS_FILE"], "a"),  # noqa: SIM115, PTH123  open for the process's life
    )
