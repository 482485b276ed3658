"""A job of housekeeping that deletes old chat messages, reports and bans."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from django.db.models import Q

from games.models import ChatBan, ChatMessage, Game, Report

# Messages of tables that are over; a reported message stays as long as its report.
MESSAGES_FOR: Final = timedelta(days=90)
# Handled reports; open ones stay. They show moderators who is reported repeatedly.
REPORTS_FOR: Final = timedelta(days=180)

_AT_ONCE: Final = 500
_LIVE: Final = (Game.Status.OPEN, Game.Status.PLAYING)


def run(now: datetime, share: float) -> bool:
    """Delete for about `share` seconds; returns whether more is left. Ended bans go at once."""
    until = monotonic() + share
    ChatBan.objects.filter(until__lt=now).delete()
    more = _delete(Report, Q(handled=True), before=now - REPORTS_FOR, until=until)
    over = ~Q(game__status__in=_LIVE)
    return (
        _delete(ChatMessage, over & Q(report=None), before=now - MESSAGES_FOR, until=until) or more
    )


def _delete(model: Any, which: Q, *, before: datetime, until: float) -> bool:
    """Delete the rows older than `before`, oldest first, until the monotonic time `until`.

    Rows are read by primary key, which grows with time, and reading stops at the first batch with
    a row that is young enough: no pass reads the whole table. Returns whether rows may be left.
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
