"""Functions that tests have the worker compute; they import nothing of Django."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any


def winners(facts: list[Any]) -> list[int]:
    """Who has won a game of Perudo, from the JSON forms of its facts."""
    from games.core import codec
    from games.core.contract import fold
    from games.perudo import rules

    state = fold(rules, [codec.unpack_kind(rules.FACTS, kind, data) for kind, data in facts])
    ended = rules.outcome(state)
    assert ended is not None
    return list(ended.winners)


def surroundings() -> dict[str, Any]:
    """What the process knows."""
    return {
        "pid": os.getpid(),
        "nice": os.nice(0),
        "environment": sorted(os.environ),
        "modules": sorted(name for name in sys.modules if name.startswith("django")),
    }


def hang(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def hang_once(note: str, seconds: float) -> str:
    """Hang for the first time, with this process's id in the file `note`."""
    file = Path(note)
    if not file.exists():
        file.write_text(str(os.getpid()))
        time.sleep(seconds)
    return "done"


def die() -> None:
    os._exit(1)


def compute(seconds: float) -> int:
    """Keep a processor busy."""
    until, rounds = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        rounds += 1
    return rounds


def fail_with(text: str) -> None:
    raise LookupError(text)
