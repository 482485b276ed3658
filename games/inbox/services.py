"""What a person is told: putting, withdrawing and reading the entries of an inbox.

Each change counts the inbox's `seq` up and is announced by it, so that a page that knows a number
knows whether it is behind. The content is never in the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.inbox import kinds
from games.models import Inbox, InboxEntry
from games.play import announce
from games.push import outbox

# Of one person; the oldest make room.
MAX_ENTRIES: Final = 100


def put(
    user_id: int,
    kind: str,
    about: str,
    *,
    now: datetime,
    values: Mapping[str, Any] | None = None,
    until: datetime | None = None,
) -> int:
    """Tell a person something, in place of what they were told of this kind about this before.

    Their browsers are told by push where they want it, if that means something `until` then.
    Returns the inbox's new `seq`.
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
    """Take back what these people were told of this kind about this, if they were."""
    for user_id in users:
        entry = InboxEntry.objects.filter(user_id=user_id, kind=kind, about=about)
        if not entry.exists():  # as nearly always, and asking takes no lock
            continue
        with transaction.atomic():
            if entry.delete()[0]:
                seq = _next(user_id)
                _count(user_id)
                announce.inbox_changed(user_id, seq)


def touch(user_ids: Iterable[int]) -> None:
    """Count the inboxes of these people up: what their pages show beside it has changed.

    In one order, so that two callers never wait for each other.
    """
    with transaction.atomic():
        for user_id in sorted(set(user_ids)):
            announce.inbox_changed(user_id, _next(user_id))


def mark_read(user_id: int, *, until: int, now: datetime) -> None:
    """Mark what a person was told up to this `seq` as read: later entries they have not seen."""
    with transaction.atomic():
        unread = InboxEntry.objects.filter(user_id=user_id, seq__lte=until, read_at=None)
        if unread.update(read_at=now):
            seq = _next(user_id)
            _count(user_id)
            announce.inbox_changed(user_id, seq)


def of(user_id: int) -> Inbox:
    """The state of a person's inbox; one that was never used is empty, and not saved."""
    return Inbox.objects.filter(pk=user_id).first() or Inbox(user_id=user_id)


def _next(user_id: int) -> int:
    """Count the inbox up; whoever else wants to waits until this transaction ends."""
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


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Erase everything this user was told."""
    with transaction.atomic():
        InboxEntry.objects.filter(user=person).delete()
        Inbox.objects.filter(user=person).delete()


def export(person: User) -> dict[str, Any]:
    """The entries of the user's inbox, newest first, as plain values ready for JSON; those about
    somebody have their name, unless they are gone.
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
