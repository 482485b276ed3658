"""The key with which this site signs pushes: one for all its processes, stored in the database.

A browser accepts only pushes signed with the key that it has subscribed with, so the key is never
replaced. Earlier versions kept it in a file in each data folder; the file of the first process to
start is imported. A `PUSH_KEY` that the host sets is used instead of both.
"""

from __future__ import annotations

import logging
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection

from games.models import PushKey
from games.social.push import vapid
from games.social.push.vapid import Key

_ROW: Final = 1

logger = logging.getLogger(__name__)
_kept: Key | None = None  # the key from the database, cached by this process


def current() -> Key:
    """The key in use. Raises DatabaseError if it cannot be read."""
    return vapid.key_of(settings.PUSH_KEY) if settings.PUSH_KEY else _of_the_database()


def public_key() -> str:
    """The key that browsers subscribe with; "" if the site sends no pushes or cannot read it."""
    if not settings.PUSH_SERVICES:
        return ""
    try:
        return current().public_key
    except DatabaseError:
        return ""


def prepare() -> None:
    """Store a new site's key, or the one from its file, and log keys that differ from the used one.

    Browsers subscribed with another key get no pushes until their users visit the site.
    """
    stored = _of_the_database()
    used = current()
    others = {"database": stored, "file": settings.PUSH_KEY_OF_FILE}
    for place, other in others.items():
        key = vapid.key_of(other) if isinstance(other, str) and other else other
        if isinstance(key, Key) and key.public_key != used.public_key:
            logger.warning(
                "push keys differ used=%s from=%s other=%s from=%s",
                used.public_key[:12],
                "PUSH_KEY" if settings.PUSH_KEY else "database",
                key.public_key[:12],
                place,
            )


def forget() -> None:
    """Clear the cached key, for tests."""
    global _kept
    _kept = None


def _of_the_database() -> Key:
    global _kept
    if _kept is not None:
        return _kept
    row = PushKey.objects.filter(pk=_ROW).first()
    if row is None:
        first = settings.PUSH_KEY or settings.PUSH_KEY_OF_FILE or vapid.new_key()
        row, _new = PushKey.objects.get_or_create(pk=_ROW, defaults={"private_key": first})
    key = vapid.key_of(row.private_key)
    if not connection.in_atomic_block:  # in a transaction the row may still be rolled back
        _kept = key
    return key
