"""A file lock on the data folder: exclusive for one server process, shared for several with Redis.

Without Redis a move is announced inside one process only: players served by another would see a
table that never changes. So a process without Redis locks the folder exclusively, and a second one
is refused. With Redis processes share the lock. The kernel releases it with the process, however
the process ends.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from perudo_site.env import InvalidSetting

_held: list[IO[str]] = []  # keeps the files open: closing one would release its lock


def exclusive(folder: Path) -> None:
    """Lock `folder` for this process alone; InvalidSetting if another process uses it."""
    _acquire(folder, fcntl.LOCK_EX)


def shared(folder: Path) -> None:
    """Share the lock of `folder`; InvalidSetting if another process has it exclusively."""
    _acquire(folder, fcntl.LOCK_SH)


def _acquire(folder: Path, mode: int) -> None:
    lock = (folder / "server.lock").open("w")
    try:
        fcntl.flock(lock, mode | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise InvalidSetting(
            f"Another server already runs on the data in “{folder}”; stop it, choose another "
            "DATA_DIR, or set REDIS_URL so that several processes can share it."
        ) from None
    _held.append(lock)
