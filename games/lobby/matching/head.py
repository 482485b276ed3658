"""The fragments for the head of every page: the inbox's badge, and the strip of a search.

Both are versioned by the inbox's `seq`, which is incremented when either changes. An open page
also shows that its person is still there.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError
from django.utils import timezone, translation

from games.lobby.matching import strip
from games.models import IN_LINE, Search
from games.play import open_pages
from games.social.inbox import badge

# A page's language, the code of the table it shows ("": none), and the tag of its session.
Place = tuple[str, str, str]

# The least time between two writes that a person in line has a page open.
SEEN_EVERY: Final = timedelta(seconds=20)


def render_for(
    user_id: int, seen: int, places: Collection[Place]
) -> tuple[int, dict[Place, str]] | None:
    """The inbox's `seq`, and the fragments for each place; None if its `seq` is still `seen`."""
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
    """Store that a person in line has a page open, unless that was stored within `SEEN_EVERY`."""
    long_ago = now - SEEN_EVERY
    before = Search.objects.filter(pk=user_id, state__in=IN_LINE, seen_at__lt=long_ago)
    try:
        if before.exists():  # rarely true; this query takes no lock
            before.update(seen_at=now)
        open_pages.note_at_open_tables(user_id, since=long_ago, now=now)
    except OperationalError:  # don't close the socket for this: the next heartbeat writes it
        return
