"""Deletion of accounts: what it takes away, and the list by which it can be repeated.

A backup that is restored brings back who deleted their account after it was made. So every deletion
is noted in a file beside the database, which no restore touches: an id and the time of joining,
which together mean one account only (an id may be given again after a restore).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import lifecycle
from accounts.models import User
from games.chat import services
from games.friends import services as friends
from games.inbox import services as inbox
from games.matching import services as matching
from games.models import ChatMessage, Report
from games.play import before_start
from games.push import subscriptions as push
from games.questions import daily
from games.questions import services as questions
from games.standing import services as standing

logger = logging.getLogger(__name__)


def noted() -> Path:
    """The file with a line for every deletion."""
    return Path(settings.DATA_DIR) / "deleted_accounts"


def delete_account(person: User, *, now: datetime) -> None:
    """Leave every table, then anonymise the account; finished games stay, the name goes."""
    _note(person)
    matching.leave(person, now=now, stop=True)
    before_start.leave_everything(person, now=now)
    with transaction.atomic():
        _clean_staff_log(person)
        services.forget(person)
        inbox.forget(person)
        matching.forget(person)
        standing.forget(person)
        friends.forget(person)
        push.forget(person)
        questions.forget(person)
        daily.forget(person, now=now)
        lifecycle.forget(person)


def repeat(lines: Iterable[str], *, now: datetime) -> int:
    """Delete again the accounts in such a list that are back; returns how many.

    ValueError for a line that is none of `noted`; nothing is deleted then.
    """
    wanted = []
    for line in filter(str.strip, lines):
        pk, _space, joined = line.strip().partition(" ")
        wanted.append((int(pk), datetime.fromisoformat(joined)))
    done = 0
    for number, when in wanted:
        person = User.objects.filter(pk=number, date_joined=when).first()
        if person is not None and not person.is_deleted:
            delete_account(person, now=now)
            done += 1
    return done


def _note(person: User) -> None:
    """Before the deletion: one that is noted and fails is repeated, as its owner wished."""
    line = f"{person.pk} {person.date_joined.isoformat()}\n"
    try:
        file = os.open(noted(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, line.encode())
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        logger.error("deletion not noted user=%d error=%s", person.pk, type(error).__name__)


def _clean_staff_log(person: User) -> None:
    """Keep who did what to this account, and take away what was written about the person."""
    rows = {
        User: [person.pk],
        Report: Report.objects.filter(whom=person).values_list("pk", flat=True),
        ChatMessage: ChatMessage.objects.filter(by=person).values_list("pk", flat=True),
    }
    for model, keys in rows.items():
        kind = ContentType.objects.get_for_model(model)
        ids = [str(key) for key in keys]
        entries: Any = LogEntry.objects.filter(content_type=kind, object_id__in=ids)
        for entry in entries:
            entry.object_repr = f"{model._meta.model_name} {entry.object_id}"
            if not entry.change_message.startswith("["):  # Django's own names columns only
                entry.change_message = entry.change_message.partition(": ")[0]
            entry.save(update_fields=["object_repr", "change_message"])
