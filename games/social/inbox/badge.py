"""The inbox badge in the head of every page, the fragment `#inbox`: its number and its notice.

A page load renders the same fragment that a socket would be sent at that moment.
"""

from __future__ import annotations

from collections.abc import Collection

from django.template.loader import render_to_string
from django.utils import translation

from games.models import Inbox, InboxEntry
from games.social.inbox import entries, kinds

# A page's language and the code of the table it shows ("": none). The page itself tells of a turn
# at that table, so the badge does not.
Place = tuple[str, str]


def fragment(user_id: int, *, here: str = "") -> str:
    """The badge with the latest unread entry, in the active language; `here`: see `Place`."""
    return _rendered(entries.of(user_id), here)


def render_for(
    user_id: int, seen: int, places: Collection[Place]
) -> tuple[int, dict[Place, str]] | None:
    """The inbox's `seq`, and its fragment for each place; None if its `seq` is still `seen`."""
    inbox = entries.of(user_id)
    if inbox.seq == seen:
        return None
    found = {}
    for language, here in places:
        with translation.override(language):
            found[language, here] = _rendered(inbox, here)
    return inbox.seq, found


def _rendered(inbox: Inbox, here: str) -> str:
    unread, waiting, tags = [], 0, ""
    if inbox.unread:
        news = list(InboxEntry.objects.filter(user=inbox.user_id, read_at=None).order_by("-seq"))
        waiting = sum(each.kind == kinds.TURN for each in news)
        tags = " ".join(sorted({kinds.tag(each.kind, each.about) for each in news}))
        at_hand = (kinds.TURN, kinds.STARTED)
        unread = kinds.shown(
            [each for each in news if each.about != here or each.kind not in at_hand]
        )
    context = {
        "seq": inbox.seq,
        "unread": len(unread),
        "latest": unread[0] if unread else None,
        "waiting": waiting,
        "tags": tags,
    }
    return render_to_string("games/_inbox.html", context)
