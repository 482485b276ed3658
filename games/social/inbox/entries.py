"""The entries of a person's inbox: put, withdraw, read and export them.

Each change increments the inbox's `seq` and announces the new number, so that a page can tell
whether it is behind. The message never has the content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Inbox, InboxEntry
from games.play import announce
from games.social.inbox import kinds
from games.social.push import outbox

# Per person; the oldest entries are deleted to make room.
MAX_ENTRIES: Final = 100


def put(
    user_id: int,
    kind: str,
    about: str,
    *,
    now: datetime,
    values: Mapping[str, object] | None = None,
    until: datetime | None = None,
) -> int:
    """Put an entry into a person's inbox; it replaces an older one of this kind about this thing.

    Kinds in `kinds.PUSHED` are also queued as pushes for the browsers that want them. `until` is
    the time after which a push is pointless. Returns the inbox's new `seq`.
    """
    with transaction.atomic():
        seq = _next(user_id)
        InboxEntry.objects.update_or_create(
            user_id=user_id,
            kind=kind,
            about=about,
            defaults={"seq": seq, "values": values or {}, "created_at": now, "read_at": None},
        )
        mine = InboxEntry.objects.filter(user_id=user_id)
        kept = mine.order_by("-seq").values_list("seq", flat=True)
        if (oldest := list(kept[MAX_ENTRIES - 1 : MAX_ENTRIES])) != []:
            mine.filter(seq__lt=oldest[0]).delete()
        _count(user_id)
        announce.inbox_changed(user_id, seq)
        if how := kinds.PUSHED.get(kind):
            outbox.put([user_id], kind, about, how, now=now, until=until)
    return seq


def withdraw(kind: str, about: str, *, users: Iterable[int]) -> None:
    """Delete the entries of this kind about this thing from these people's inboxes, if any."""
    for user_id in users:
        entry = InboxEntry.objects.filter(user_id=user_id, kind=kind, about=about)
        if not entry.exists():  # the usual case; this query takes no lock
            continue
        with transaction.atomic():
            if entry.delete()[0]:
                seq = _next(user_id)
                _count(user_id)
                announce.inbox_changed(user_id, seq)


def touch(user_ids: Iterable[int]) -> None:
    """Increment and announce the `seq` of these inboxes, because what pages show beside the inbox
    has changed. Users are taken in ascending order, so that two callers never deadlock.
    """
    with transaction.atomic():
        for user_id in sorted(set(user_ids)):
            announce.inbox_changed(user_id, _next(user_id))


def mark_read(user_id: int, *, until: int, now: datetime) -> None:
    """Mark a person's entries up to the `seq` `until` as read; they haven't seen later ones."""
    with transaction.atomic():
        unread = InboxEntry.objects.filter(user_id=user_id, seq__lte=until, read_at=None)
        if unread.update(read_at=now):
            seq = _next(user_id)
            _count(user_id)
            announce.inbox_changed(user_id, seq)


def of(user_id: int) -> Inbox:
    """A person's inbox; an empty one, not saved, if it was never used."""
    return Inbox.objects.filter(pk=user_id).first() or Inbox(user_id=user_id)


def _next(user_id: int) -> int:
    """Increment and return the inbox's `seq`; its row stays locked until the transaction ends."""
    mine = Inbox.objects.filter(pk=user_id)
    if not mine.update(seq=F("seq") + 1):
        Inbox.objects.bulk_create([Inbox(user_id=user_id)], ignore_conflicts=True)
        mine.update(seq=F("seq") + 1)
    return mine.values_list("seq", flat=True).get()


def _count(user_id: int) -> None:
    unread = (
        InboxEntry.objects.filter(user_id=OuterRef("pk"), read_at=None)
        .order_by()
        .values("user_id")
        .annotate(count=Count("pk"))
        .values("count")
    )
    Inbox.objects.filter(pk=user_id).update(unread=Coalesce(Subquery(unread), 0))


def hand_over(old: int, new: int) -> None:
    """Move the entries of the user `old` to the inbox of `new`, after those it has.

    An entry that `new` has too is not moved. Runs in the transaction of the caller.
    """
    mine = InboxEntry.objects.filter(user_id=new)
    known = set(mine.values_list("kind", "about"))
    for entry in InboxEntry.objects.filter(user_id=old).order_by("seq"):
        if (entry.kind, entry.about) not in known:
            InboxEntry.objects.filter(pk=entry.pk).update(user_id=new, seq=_next(new))
    _count(new)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete this user's inbox with all entries."""
    with transaction.atomic():
        InboxEntry.objects.filter(user=person).delete()
        Inbox.objects.filter(user=person).delete()


def export(person: User) -> dict[str, object]:
    """The entries of the user's inbox, newest first, as plain values ready for JSON.

    An entry about a person has their name, unless their account is deleted.
    """
    entries = list(InboxEntry.objects.filter(user=person).order_by("-seq"))
    names = kinds.names(entries)
    return {"inbox": [_exported(each, names.get(each.pk)) for each in entries]}


def _exported(entry: InboxEntry, name: str | None) -> dict[str, Any]:
    about_somebody = entry.kind in (kinds.FRIEND, kinds.FRIENDS_NOW)
    exported = {
        "kind": entry.kind,
        "about": name if about_somebody else entry.about,
        "at": entry.created_at.isoformat(),
        "read": entry.read_at and entry.read_at.isoformat(),
    }
    return exported | ({"by": name} if entry.kind == kinds.INVITED else {})
