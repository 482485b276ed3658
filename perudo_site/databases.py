"""Django's `DATABASES` entries for the two databases the site supports."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def sqlite(file: Path) -> dict[str, Any]:
    """One SQLite file in WAL mode, on our engine, which bounds the wait for a locked file.

    Writers queue from the first statement of a transaction instead of failing half-way.
    """
    return {
        "ENGINE": "perudo_site.sqlite3",
        "NAME": file,
        # The threads that use it live as long as the process; see perudo_site/asgi.py.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 3,  # seconds to wait while a connection is set up
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def postgresql(parsed: dict[str, Any]) -> dict[str, Any]:
    """A connection pool per process, on our engine; `parsed` is what dj-database-url returned.

    The engine discards connections from before a restart of the database. A silent connection is
    given up, and nobody waits longer than the pool's timeout while the database is unavailable,
    also not behind others in a queue (see `postgresql/base.py`). The pool's reconnect attempts
    back off, so they stop after a second: the next request starts again.
    """
    detect_silence = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
    pool = {"min_size": 1, "max_size": 10, "timeout": 3, "reconnect_timeout": 1}
    return parsed | {
        "ENGINE": "perudo_site.postgresql",
        "CONN_MAX_AGE": 0,  # the pool keeps connections, the requests do not
        "OPTIONS": detect_silence | parsed.get("OPTIONS", {}) | {"pool": pool},
    }
