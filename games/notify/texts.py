"""The texts of pushes, looked up when they are sent, so that outdated ones are not sent.

They say no more than the inbox or the home page do: no hands, and nothing about blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import DailyAnswer, DailyRound, InboxEntry, PushMessage, Search
from games.notify import hours
from games.notify import meeting_words as meeting
from games.social.inbox import kinds
from games.store import here

# Kinds of pushes besides the kinds of inbox entries.
WAITING: Final = "waiting"  # somebody waits for a game
QUESTION: Final = "question"  # the question of a day
MEETING: Final = "meeting"  # an hour at which people meet


# A push can have 4,096 bytes at most.
MOST_TAGS: Final = 40


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and the path that it links to."""

    sentence: str
    path: str


def said(message: PushMessage, *, now: datetime) -> Said | None:
    """The text of a message in the active language; None if it is outdated."""
    say = _SAY.get(message.kind, _entry)
    return say(message, now)


def games_waiting(user_id: int) -> int:
    """The number of games that wait for this person, for the badge of the installed app."""
    return InboxEntry.objects.filter(user=user_id, kind=kinds.TURN, read_at=None).count()


def open_tags(user_id: int) -> list[str] | None:
    """The tags of this person's unread entries; None if they are too many for a push."""
    unread = InboxEntry.objects.filter(user=user_id, read_at=None).order_by("-seq")
    rows = list(unread.values_list("kind", "about")[: MOST_TAGS + 1])
    return [kinds.tag(*row) for row in rows] if len(rows) <= MOST_TAGS else None


def _entry(message: PushMessage, now: datetime) -> Said | None:
    unread = InboxEntry.objects.filter(
        user=message.subscription.user_id, kind=message.kind, about=message.about, read_at=None
    )
    shown = kinds.shown(list(unread))
    return Said(shown[0].sentence, shown[0].url) if shown else None


def _waiting(message: PushMessage, now: datetime) -> Said | None:
    others = here.in_line(now=now).filter(state=Search.State.WAITING)
    if not others.exclude(user=message.subscription.user_id).exists():
        return None
    return Said(_("Somebody's waiting for a game. Join in?"), reverse("games:home"))


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
    found = hours.next_meeting(settings.MEETING_HOURS, now)
    if found is None:
        return None
    left = found.at - now
    if left.total_seconds() <= 0:
        return Said(_("It's time: people are meeting now."), reverse("games:home"))
    sentence = _("People meet to play %(left)s.") % {"left": meeting.in_words(left)}
    return Said(sentence, reverse("games:home"))


_SAY: Final[Mapping[str, Callable[[PushMessage, datetime], Said | None]]] = {
    WAITING: _waiting,
    QUESTION: _question,
    MEETING: _meeting,
}
