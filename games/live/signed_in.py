"""Whether a socket may still be used: it stays open while its session may end."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists

from accounts.models import User


def is_still(scope: dict[str, Any], *, now: datetime) -> bool:
    """Whether the session that opened this socket is still valid; true for anonymous visitors.

    Signing out deletes the session; a new password or a deleted or banned account invalidates it.
    One statement.
    """
    user = scope["user"]
    if not user.is_authenticated:
        return True
    key = scope["session"].session_key
    session = Session.objects.filter(session_key=key, expire_date__gt=now)
    here = User.objects.filter(Exists(session), pk=user.pk, is_active=True, password=user.password)
    return here.exists()
