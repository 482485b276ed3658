"""The limit of open files of this process, of which every connection takes one.

A shell's soft limit is often 1,024, far below the hard limit. If it is not raised, that many idle
connections use it up.
"""

from __future__ import annotations

import logging
import resource
from typing import Final

# Enough for one process, which runs out of memory first (35 KB for each open WebSocket).
ENOUGH: Final = 65_536
# Below this limit the log has a warning.
LOW: Final = 4_096
# Kept for the database, Redis, files and other kinds of connections.
RESERVED: Final = 100

logger = logging.getLogger(__name__)


def raise_limit() -> None:
    """Raise the soft limit as far as this process may; log a warning if it stays low."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if most_connections() < LOW - RESERVED:
        logger.warning(
            "open file limit is low hard=%d connections=%d (see LimitNOFILE, ulimit -Hn)",
            hard,
            most_connections(),
        )


def most_connections() -> int:
    """Return how many connections may be open at once, with file descriptors left for the rest."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft > ENOUGH:
        soft = ENOUGH
    return max(soft // 2, soft - RESERVED)
