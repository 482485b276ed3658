"""Copy of the whole database of a stopped site from SQLite to PostgreSQL: `manage.py copy_to`."""

from __future__ import annotations


class Refused(Exception):
    """Nothing was changed; the message gives the reason in one sentence."""


class Failed(Exception):
    """The copy is incomplete; the message gives the reason and what to do."""
