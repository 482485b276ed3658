"""Who uses a data folder: one server, several that hear each other, or whoever changes it all.

Without Redis a move is announced inside one process only: players served by another one would
look at a table that stands still. So the first holds a lock in the data folder that both read, and
a second one is refused. With Redis they share the lock, and refuse only who wants to be alone. The
kernel drops the lock with the process, however it ends.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from perudo_site.environment import WrongSetting

_held: list[IO[str]] = []  # an open file keeps its lock for as long as somebody refers to it


def insist(folder: Path) -> None:
    """Use this folder alone; WrongSetting when another process serves from it already."""
    _hold(folder, fcntl.LOCK_EX)


def join(folder: Path) -> None:
    """Use this folder beside others that do so; WrongSetting when one is there that is alone."""
    _hold(folder, fcntl.LOCK_SH)


def _hold(folder: Path, how: int) -> None:
    lock = (folder / "server.lock").open("w")
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise WrongSetting(
            f"Another server already runs on the data in “{folder}”; stop it, choose another "
            "DATA_DIR, or set REDIS_URL, through which several processes hear each other."
        ) from None
    _held.append(lock)
