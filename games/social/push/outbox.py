"""The queue of pushes to browsers, written in the transaction of the event they tell of.

So pushes survive a crash of the process. `sending` sends them and deletes their rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count

from games.models import PushMessage, PushSubscription
from games.social.push import quiet

# Per browser; more isn't written, because somebody with this many doesn't need another one.
MOST_WAITING: Final = 20


@dataclass(frozen=True, slots=True)
class Pushed:
    """How a kind of entry is pushed: the switch it belongs to, and how long it stays relevant."""

    switch: str
    lasts: timedelta


def put(
    user_ids: Iterable[int],
    kind: str,
    about: str,
    how: Pushed,
    *,
    now: datetime,
    until: datetime | None = None,
) -> int:
    """Queue a push about a thing for the browsers of those people who have its switch on.

    It replaces a waiting push about the same thing. `until`: when it stops being relevant, if that
    is sooner than usual for its kind. A push that quiet hours would delay beyond that time isn't
    written. Returns the number of pushes queued.
    """
    expires_at = min(filter(None, (until, now + how.lasts)))
    wants = {f"user__push_choice__{how.switch}": True}
    found = PushSubscription.objects.filter(user__in=list(user_ids), **wants)
    rows = []
    for browser in found.select_related("user__push_choice").annotate(waiting=Count("messages")):
        due_at = quiet.until(browser.user.push_choice, now) or now
        if due_at < expires_at and browser.waiting < MOST_WAITING:
            rows.append(
                PushMessage(
                    subscription=browser,
                    kind=kind,
                    about=about,
                    switch=how.switch,
                    asked_at=now,
                    due_at=due_at,
                    expires_at=expires_at,
                )
            )
    if rows:
        PushMessage.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["subscription", "kind", "about"],
            update_fields=["asked_at", "due_at", "expires_at", "attempts"],
        )
    return len(rows)
