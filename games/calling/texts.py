"""What a push says, looked up when it is sent: nothing is sent that means nothing any more.

It says no more than the inbox or the home page do; no hand, and nothing of who has blocked whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.inbox import kinds
from games.meeting import shown as meeting
from games.models import DailyAnswer, DailyRound, InboxEntry, PushMessage, Search

# Kinds of pushes beside those of entries in inboxes.
WAITING: Final = "waiting"  # somebody waits for a game
QUESTION: Final = "question"  # about a day
MEETING: Final = "meeting"  # about the hour at which people meet


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and the path that it leads to."""

    sentence: str
    path: str


def said(message: PushMessage, *, now: datetime) -> Said | None:
    """What this message says in the active language; None when it means nothing any more."""
    say = _SAY.get(message.kind, _entry)
    return say(message, now)


def games_waiting(user_id: int) -> int:
    """How many games wait for this person, for the badge of the installed app."""
    return InboxEntry.objects.filter(user=user_id, kind=kinds.TURN, read_at=None).count()


def _entry(message: PushMessage, now: datetime) -> Said | None:
    unread = InboxEntry.objects.filter(
        user=message.subscription.user_id, kind=message.kind, about=message.about, read_at=None
    )
    shown = kinds.shown(list(unread))
    return Said(shown[0].sentence, shown[0].url) if shown else None


def _waiting(message: PushMessage, now: datetime) -> Said | None:
    others = Search.objects.filter(state=Search.State.WAITING)
    if not others.exclude(user=message.subscription.user_id).exists():
        return None
    return Said(_("Somebody waits for a game. Join in?"), reverse("games:home"))


def _question(message: PushMessage, now: datetime) -> Said | None:
    day = date.fromisoformat(message.about)
    asked = DailyRound.objects.filter(day=day, withdrawn_at__isnull=True)
    answered = DailyAnswer.objects.filter(
        round__day=day, person=message.subscription.user_id
    ).exists()
    if answered or not asked.exists():
        return None
    return Said(_("The question of the day is here. What would you do?"), reverse("games:daily"))


def _meeting(message: PushMessage, now: datetime) -> Said | None:
    found = meeting.next_meeting(settings.MEETING_HOURS, now)
    if found is None:
        return None
    left = found.at - now
    if left.total_seconds() <= 0:
        return Said(_("People meet to play now."), reverse("games:home"))
    sentence = _("People meet to play %(left)s.") % {"left": meeting.in_words(left)}
    return Said(sentence, reverse("games:home"))


_SAY: Final[Mapping[str, Callable[[PushMessage, datetime], Said | None]]] = {
    WAITING: _waiting,
    QUESTION: _question,
    MEETING: _meeting,
}
