"""Visits: they decide what a page marks as new for a user.

A visit begins when a user without a current visit opens the home page, and lasts half an hour.
During it, everything since the start of the previous visit is new, however often the page is
loaded. Pages only note that a visit has begun. A job of the process writes it, one UPDATE per
visit, so that no page waits for a lock. Nothing is stored about visitors without an account.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db.models import F, Q

from accounts.models import User

LASTS: Final = timedelta(minutes=30)

# Visits that have begun and are not written yet, by user id. If one is lost with the process, or
# while the database is unavailable, the next request of the page notes it again.
_begun: dict[int, datetime] = {}


def since(person: User, *, now: datetime) -> datetime | None:
    """Return when the user's previous visit began, None at the first; note one that begins now."""
    began = person.visit_began_at
    if began is not None and now - began < LASTS:
        return person.visit_before_at
    _begun.setdefault(person.pk, now)
    return began


def write(now: datetime, share: float) -> bool:
    """Job: write the noted visits for about `share` seconds; return whether more are left."""
    until = monotonic() + share
    while _begun:
        user_id, at = _begun.popitem()
        # One at a time: statements on several rows could deadlock. The condition holds once, even
        # if two processes have noted the same visit.
        is_new = Q(visit_began_at=None) | Q(visit_began_at__lte=at - LASTS)
        mine = User.objects.filter(is_new, pk=user_id, is_active=True)
        mine.update(visit_before_at=F("visit_began_at"), visit_began_at=at)
        if monotonic() >= until:
            return bool(_begun)
    return False


def forget_noted() -> None:
    """Forget the visits that are not written yet, for tests."""
    _begun.clear()
