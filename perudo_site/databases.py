"""Django's `DATABASES` entries for the two databases the site supports."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def sqlite(file: Path) -> dict[str, Any]:
    """One SQLite file in WAL mode, on our engine, which limits the waits for a locked file.

    Writers queue from the first statement of a transaction instead of failing half-way.
    """
    return {
        "ENGINE": "perudo_site.sqlite3",
        "NAME": file,
        # The threads that use it live as long as the process; see perudo_site/asgi.py.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 3,  # seconds to wait for a locked file
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def postgresql(parsed: dict[str, Any]) -> dict[str, Any]:
    """One connection for each thread, on our engine; `parsed` is what dj-database-url returned.

    Threads are few and live as long as the process; see perudo_site/asgi.py. A connection from
    before a restart of the database is replaced, and a server that does not answer is given up
    (see `postgresql/base.py`).
    """
    detect_silence = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
    return parsed | {
        "ENGINE": "perudo_site.postgresql",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": detect_silence | parsed.get("OPTIONS", {}),
    }
