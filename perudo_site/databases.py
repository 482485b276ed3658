"""Django's `DATABASES` entries for the two databases the site supports."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url
from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo


def at(url: str, *, synchronous: str = "normal") -> dict[str, Any] | None:
    """Return the settings of the database at this URL; None if the site does not support it."""
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError:
        return None
    match parsed:
        case {"ENGINE": "django.db.backends.postgresql", "NAME": str(database)} if database:
            if _are_options(parsed.get("OPTIONS", {})):
                return postgresql(parsed)
        case {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)} if file:
            if file != ":memory:" and os.access(Path(file).absolute().parent, os.W_OK):
                return sqlite(Path(file), synchronous=synchronous)
    return None


def _are_options(options: dict[str, Any]) -> bool:
    """Whether PostgreSQL's client knows all these options."""
    try:
        make_conninfo(**options)
    except ProgrammingError:
        return False
    return True


def sqlite(file: Path, *, synchronous: str = "normal") -> dict[str, Any]:
    """Return settings for an SQLite file in WAL mode; our engine limits waits for a locked file.

    Writers queue from the first statement of a transaction instead of failing half-way.
    `synchronous`: with "normal" a power cut may lose the last commits, with "full" none.
    """
    return {
        "ENGINE": "perudo_site.sqlite3",
        "NAME": file,
        # The threads that use it live as long as the process; see perudo_site/asgi.py.
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 3,  # seconds to wait for a locked file
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous};",
        },
    }


def postgresql(parsed: dict[str, Any]) -> dict[str, Any]:
    """Return settings with one connection per thread, on our engine.

    `parsed`: the result of dj-database-url. Threads are few and live as long as the process; see
    perudo_site/asgi.py. A connection that is older than a restart or a failover of the database is
    replaced, and one to a server that does not respond is dropped (see `postgresql/base.py`).
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
