"""The limit of open files of this process, of which every connection takes one.

A shell's soft limit is often 1,024, far below the hard one: without raising it, so many connections
that say nothing would use it up.
"""

from __future__ import annotations

import logging
import resource
from typing import Final

# Enough for one process, whose memory ends sooner (35 KB for each open WebSocket).
ENOUGH: Final = 65_536
# Below this the log says that the limit is low.
LOW: Final = 4_096
# For the database, Redis, files and connections of other kinds.
RESERVED: Final = 100

logger = logging.getLogger(__name__)


def raise_limit() -> None:
    """Raise the soft limit as far as this process may, and log one that stays low."""
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
    """How many connections may be open at once, so that files are left for the rest."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft > ENOUGH:
        soft = ENOUGH
    return max(soft // 2, soft - RESERVED)
