"""Refuses a second server process that the first could not hear.

Without Redis a move is announced inside one process only: players served by another one would
look at a table that stands still. Both processes read the same data folder, so a lock in it
tells. The kernel drops the lock with the process, however it ends.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from perudo_site.environment import WrongSetting

_held: list[IO[str]] = []  # an open file keeps its lock for as long as somebody refers to it


def insist(folder: Path) -> None:
    """Raises WrongSetting when another process already serves from this data folder."""
    lock = (folder / "server.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise WrongSetting(
            f"Another server already runs on the data in “{folder}”; stop it, choose another "
            "DATA_DIR, or set REDIS_URL, through which several processes hear each other."
        ) from None
    _held.append(lock)
