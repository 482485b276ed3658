"""Visits: what a page may call new to a person.

A visit begins when they look at the home page and none is on; it lasts half an hour. What came
after the visit before began is new for that long, however often the page is loaded. Pages only
note that one has begun; a job of the process writes it, one UPDATE a visit, so that no page waits
for a lock. Nothing is kept of visitors without an account.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db.models import F, Q

from accounts.models import User

LASTS: Final = timedelta(minutes=30)

# Those that have begun and are not written yet, by user id. What is lost with the process, or
# while the database is away, is noted by the next look.
_begun: dict[int, datetime] = {}


def since(person: User, *, now: datetime) -> datetime | None:
    """When their visit before this one began, None before the first; notes one that begins now."""
    began = person.visit_began_at
    if began is not None and now - began < LASTS:
        return person.visit_before_at
    _begun.setdefault(person.pk, now)
    return began


def write(now: datetime, share: float) -> bool:
    """Write the visits that have begun, for about `share` seconds; whether more are left: a job."""
    until = monotonic() + share
    while _begun:
        user_id, at = _begun.popitem()
        # One at a time: statements about several people could wait for each other. The condition
        # holds once, also where two processes have noted the same visit.
        is_new = Q(visit_began_at=None) | Q(visit_began_at__lte=at - LASTS)
        mine = User.objects.filter(is_new, pk=user_id, is_active=True)
        mine.update(visit_before_at=F("visit_began_at"), visit_began_at=at)
        if monotonic() >= until:
            return bool(_begun)
    return False


def forget_noted() -> None:
    """Forget what is not written yet, for tests."""
    _begun.clear()
