"""Session check for sockets, which stay open while their session may end."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.db import connection

from accounts.models import User

# Runs for every move, in raw SQL: the ORM takes longer to build it than the database to run it.
_IS_STILL: Final = (
    f'SELECT 1 FROM "{User._meta.db_table}" '  # noqa: S608
    'WHERE "id" = %s AND "is_active" AND "password" = %s AND EXISTS '
    f'(SELECT 1 FROM "{Session._meta.db_table}" WHERE "session_key" = %s AND "expire_date" > %s)'
)


def is_still(scope: dict[str, Any], *, now: datetime) -> bool:
    """Whether the session that opened this socket is still valid; true for anonymous visitors.

    Signing out deletes the session; a new password or a deleted or banned account invalidates it.
    This is one query.
    """
    user = scope["user"]
    if not user.is_authenticated:
        return True
    until = connection.ops.adapt_datetimefield_value(now)
    key = scope["session"].session_key
    with connection.cursor() as cursor:
        cursor.execute(_IS_STILL, [user.pk, user.password, key, until])
        return cursor.fetchone() is not None
