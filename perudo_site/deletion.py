"""Deletion of accounts, and the list of deletions to repeat after a restore.

A restored backup brings back accounts that were deleted after the backup was made. So every
deletion is noted in a file beside the database, which a restore does not change. A line has an id
and the time of joining, which together identify an account (an id may be reused after a restore).
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
from games.lobby.matching import searches as matching
from games.lobby.standing import ownership as standing
from games.models import ChatMessage, Report
from games.play import before_start
from games.social.chat import talk
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from games.social.push import subscriptions as push
from games.study.marks import awards
from games.study.questions import daily, mistakes
from games.study.questions import question_links as questions
from games.study.review import beliefs

logger = logging.getLogger(__name__)


def noted() -> Path:
    """Return the file with a line for every deletion."""
    return Path(settings.DATA_DIR) / "deleted_accounts"


def delete_account(person: User, *, now: datetime) -> None:
    """Leave every table, then anonymise the account; finished games stay, the name goes."""
    _note(person)
    matching.leave(person, now=now, stop=True)
    before_start.leave_everything(person, now=now)
    erase(person, now=now)


def erase(person: User, *, now: datetime) -> None:
    """Erase the personal data of somebody who has left all their tables."""
    with transaction.atomic():
        _clean_staff_log(person)
        talk.forget(person)
        inbox.forget(person)
        matching.forget(person)
        standing.forget(person)
        friends.forget(person)
        push.forget(person)
        questions.forget(person)
        daily.forget(person, now=now)
        mistakes.forget(person)
        beliefs.forget(person)
        awards.forget(person)
        lifecycle.forget(person)


def repeat(lines: Iterable[str], *, now: datetime) -> int:
    """Delete again the accounts of such a list that have come back; return how many.

    Raise ValueError for a line that is not in the format of `noted`; nothing is deleted then.
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
    """Note a deletion before it happens; if it fails, it is repeated later, as its owner wished."""
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
    """Keep log entries of actions on this account, but erase their texts about the person."""
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
            if not entry.change_message.startswith("["):  # Django's own messages name columns only
                entry.change_message = entry.change_message.partition(": ")[0]
            entry.save(update_fields=["object_repr", "change_message"])
