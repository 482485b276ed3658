"""The badge of the inbox in the head of every page, `#inbox`: its number and its notice.

A page load renders the fragment as a socket would be sent it at that moment.
"""

from __future__ import annotations

from collections.abc import Collection

from django.template.loader import render_to_string
from django.utils import translation

from games.inbox import kinds, services
from games.models import Inbox, InboxEntry

# A page's language, and the table it shows ("": none), of whose own turn it speaks itself.
Place = tuple[str, str]


def fragment(user_id: int, *, here: str = "") -> str:
    """The badge and the latest unread entry, in the active language."""
    return _rendered(services.of(user_id), here)


def render_for(
    user_id: int, seen: int, places: Collection[Place]
) -> tuple[int, dict[Place, str]] | None:
    """The inbox's `seq`, and its fragment for each page; None when it stands at `seen`."""
    inbox = services.of(user_id)
    if inbox.seq == seen:
        return None
    found = {}
    for language, here in places:
        with translation.override(language):
            found[language, here] = _rendered(inbox, here)
    return inbox.seq, found


def _rendered(inbox: Inbox, here: str) -> str:
    unread, waiting = [], 0
    if inbox.unread:
        news = list(InboxEntry.objects.filter(user=inbox.user_id, read_at=None).order_by("-seq"))
        waiting = sum(each.kind == kinds.TURN for each in news)
        at_hand = (kinds.TURN, kinds.STARTED)
        unread = kinds.shown(
            [each for each in news if each.about != here or each.kind not in at_hand]
        )
    context = {
        "seq": inbox.seq,
        "unread": len(unread),
        "latest": unread[0] if unread else None,
        "waiting": waiting,
    }
    return render_to_string("games/_inbox.html", context)
