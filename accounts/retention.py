"""Housekeeping job that deletes expired data of accounts.

It deletes sessions and sign-in codes that have expired, held names after `held_names.HELD_FOR`, and
rows of the outbox after two days (see `outbox.sweep`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.contrib.sessions.models import Session

from accounts import held_names, outbox, sign_in_codes

EVERY: Final = timedelta(hours=1)

# Rows to delete in one statement, during which the database is locked for others.
_AT_ONCE: Final = 500


def run(now: datetime, share: float) -> bool:
    """Delete for about `share` seconds; return whether more is left."""
    until = monotonic() + share
    held_names.sweep(now)
    outbox.sweep(now)
    sign_in_codes.sweep(now)
    expired = Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)
    while keys := list(expired[:_AT_ONCE]):
        Session.objects.filter(pk__in=keys, expire_date__lt=now).delete()
        if monotonic() >= until:
            return True
    return False
