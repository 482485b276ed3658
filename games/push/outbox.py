"""What waits to be sent to browsers: written in the transaction of what it tells of.

So it survives what kills a process. `sending` sends it and deletes the row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count

from games.models import PushMessage, PushSubscription
from games.push import quiet

# Of one browser; more is not written: who has so much to look at need not be told of more.
MOST_WAITING: Final = 20


@dataclass(frozen=True, slots=True)
class Pushed:
    """How a kind of thing is told: the switch it belongs to, and how long it means something."""

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
    """Have the browsers of these people told of a thing, where they want to be told of its kind.

    In place of what was told of this thing before. `until`: when it means nothing any more, if that
    is sooner than usual for its kind. What would be due after that, since hours are quiet, is not
    written. Returns how many browsers will be told.
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
