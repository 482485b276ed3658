"""For processes whose wall clock is shifted: libfaketime breaks the call behind Python's sleep.

It hands clock_nanosleep a moment of a clock that it does not shift; select is not touched by it.
"""

from __future__ import annotations

import select
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], seconds)


time.sleep = _sleep
