"""What the site deletes by itself of the chat, and when: a job of housekeeping."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from django.db.models import Q

from games.models import ChatBan, ChatMessage, Game, Report

# Messages of tables that are over. One that was reported stays as long as the report.
MESSAGES_FOR: Final = timedelta(days=90)
# Reports that were answered; open ones stay. They show moderators who is reported repeatedly.
REPORTS_FOR: Final = timedelta(days=180)

_AT_ONCE: Final = 500
_LIVE: Final = (Game.Status.OPEN, Game.Status.PLAYING)


def run(now: datetime, share: float) -> bool:
    """Delete for about `share` seconds; whether more is left. Chat bans go when they have ended."""
    until = monotonic() + share
    ChatBan.objects.filter(until__lt=now).delete()
    more = _delete(Report, Q(handled=True), before=now - REPORTS_FOR, until=until)
    over = ~Q(game__status__in=_LIVE)
    return (
        _delete(ChatMessage, over & Q(report=None), before=now - MESSAGES_FOR, until=until) or more
    )


def _delete(model: Any, which: Q, *, before: datetime, until: float) -> bool:
    """Delete rows of before that time, oldest first, until the monotonic clock says `until`.

    Rows are read by primary key, which grows with time, up to the first that is young enough: so
    no pass reads the whole table. Returns whether rows may be left.
    """
    last = 0
    while monotonic() < until:
        rows = model.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "at")
        rows = list(rows[:_AT_ONCE])
        old = [pk for pk, at in rows if at < before]
        if old:
            model.objects.filter(which, pk__in=old).delete()
        if len(old) < _AT_ONCE:
            return False
        last = rows[-1][0]
    return True
