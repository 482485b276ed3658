"""What a socket sends beside its own page: the inbox's badge and the strip of a search.

Both are versioned by the inbox's `seq`, which counts every change of either. A page that is open
shows that its person is there.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError
from django.utils import timezone, translation

from games.inbox import badge
from games.matching import strip
from games.models import IN_LINE, Search

# A page's language, the code of the table it shows ("": none), and the tag of its session.
Place = tuple[str, str, str]

# It is written no more often that somebody in line has a page open.
SEEN_EVERY: Final = timedelta(seconds=20)


def render_for(
    user_id: int, seen: int, places: Collection[Place]
) -> tuple[int, dict[Place, str]] | None:
    """The inbox's `seq`, and the fragments for each page; None when it stands at `seen`."""
    note_seen(user_id, now=timezone.now())
    found = badge.render_for(user_id, seen, {(language, here) for language, here, _ in places})
    if found is None:
        return None
    seq, badges = found
    html = {}
    for language, here, device in places:
        with translation.override(language):
            own = strip.fragment(user_id, here=here, device=device)
        html[language, here, device] = badges[language, here] + own
    return seq, html


def note_seen(user_id: int, *, now: datetime) -> None:
    """Note that somebody has a page open, if they stand in line and it is not known."""
    before = Search.objects.filter(pk=user_id, state__in=IN_LINE, seen_at__lt=now - SEEN_EVERY)
    try:
        if before.exists():  # as it hardly ever is, and asking takes no lock
            before.update(seen_at=now)
    except OperationalError:  # no reason to close a page: the next heartbeat writes
        return
