"""Calls to many: somebody waits for a game, the question of the day is here, people meet soon.

A job looks whether there is something to call for. Each person is marked as called in the
transaction that writes the message, so that of two processes one calls them, once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.calling.texts import MEETING, QUESTION, WAITING
from games.meeting.hours import next_meeting
from games.models import DailyAnswer, DailyRound, Mute, PushChoice, PushSubscription, Search
from games.push import outbox, quiet
from games.push.outbox import Pushed
from games.questions import days

# Somebody who waits for so long is told of: before that another who looks may have come.
ALONE_FOR: Final = timedelta(seconds=20)
# Of people who wait a person is told so often a day (of 24 hours), and not again for so long.
CALLS_A_DAY: Final = 2
BETWEEN: Final = timedelta(hours=2)
# So many are called for who waits; those who were called longest ago. Others, if nobody came, after
# a while.
CALLED_AT_ONCE: Final = 20
OTHERS_AFTER: Final = timedelta(minutes=5)
MEETS_IN: Final = timedelta(minutes=10)
_AT_ONCE: Final = 200
PUSHED: Final = {
    WAITING: Pushed("waiting", timedelta(minutes=5)),
    QUESTION: Pushed("question", timedelta(hours=12)),
    MEETING: Pushed("meeting", timedelta(minutes=20)),
}


def run(now: datetime, share: float) -> bool:
    """Call whoever is to be called; a job. Returns whether more is to be done."""
    _call_for_who_waits(now)
    more = _call_for_the_question(now)
    return _call_for_the_meeting(now) or more


def _with_browser(**wants: Any) -> QuerySet[PushChoice]:
    browsers = PushSubscription.objects.filter(user=OuterRef("pk"))
    return PushChoice.objects.filter(Exists(browsers), user__is_active=True, **wants)


# --- somebody waits ------------------------------------------------------------------------------


def _call_for_who_waits(now: datetime) -> None:
    alone = Search.objects.filter(state=Search.State.WAITING, changed_at__lte=now - ALONE_FOR)
    alone = alone.filter(user__is_active=True)
    searcher = alone.order_by("changed_at").values_list("pk", flat=True).first()
    if searcher is None:
        return
    if PushChoice.objects.filter(waiting_at__gt=now - OTHERS_AFTER).exists():
        return
    parted = Mute.objects.filter(blocked=True).filter(
        Q(by=searcher, whom=OuterRef("pk")) | Q(by=OuterRef("pk"), whom=searcher)
    )
    in_line = Search.objects.filter(pk=OuterRef("pk"))
    day_ago = now - timedelta(days=1)
    may = _with_browser(waiting=True).filter(
        Q(waiting_at=None)
        | Q(waiting_at__lte=day_ago)
        | Q(waiting_at__lte=now - BETWEEN, waiting_count__lt=CALLS_A_DAY)
    )
    may = may.exclude(Exists(parted)).exclude(Exists(in_line))
    # First those who were never called.
    may = may.order_by(F("waiting_at").asc(nulls_first=True), "pk")
    awake = [each for each in may[:_AT_ONCE] if quiet.until(each, now) is None]
    for choice in awake[:CALLED_AT_ONCE]:
        is_second = choice.waiting_at is not None and choice.waiting_at > day_ago
        _call(
            choice,
            WAITING,
            "",
            now=now,
            mark={
                "waiting_at": now,
                "waiting_count": choice.waiting_count + 1 if is_second else 1,
            },
        )


# --- once for everybody --------------------------------------------------------------------------


def _call_for_the_question(now: datetime) -> bool:
    day = days.day_of(now)
    if now - days.begins(day) > PUSHED[QUESTION].lasts:
        return False  # the site was down: it is late in the day
    if not DailyRound.objects.filter(day=day, withdrawn_at__isnull=True).exists():
        return False
    may = _with_browser(question=True).filter(Q(question_day=None) | Q(question_day__lt=day))
    answered = DailyAnswer.objects.filter(round__day=day, person=OuterRef("pk"))
    until = days.begins(day) + timedelta(days=1)
    return _call_each(
        may.exclude(Exists(answered)), QUESTION, day.isoformat(), now, {"question_day": day}, until
    )


def _call_for_the_meeting(now: datetime) -> bool:
    meeting = next_meeting(settings.MEETING_HOURS, now)
    if meeting is None or not timedelta(0) < meeting.at - now <= MEETS_IN:
        return False
    may = _with_browser(meeting=True).filter(Q(meeting_at=None) | Q(meeting_at__lt=meeting.at))
    return _call_each(may, MEETING, meeting.at.isoformat(), now, {"meeting_at": meeting.at}, None)


def _call_each(
    may: QuerySet[PushChoice],
    kind: str,
    about: str,
    now: datetime,
    mark: dict[str, Any],
    until: datetime | None,
) -> bool:
    chosen = list(may.order_by("pk")[:_AT_ONCE])
    for choice in chosen:
        _call(choice, kind, about, now=now, mark=mark, until=until)
    return len(chosen) == _AT_ONCE


def _call(
    choice: PushChoice,
    kind: str,
    about: str,
    *,
    now: datetime,
    mark: dict[str, Any],
    until: datetime | None = None,
) -> None:
    """Mark a person as called and write the message, unless another process has just done so."""
    with transaction.atomic():
        as_read = Q(pk=choice.pk)
        for name in mark:
            value = getattr(choice, name)
            as_read &= Q(**{f"{name}__isnull": True}) if value is None else Q(**{name: value})
        if PushChoice.objects.filter(as_read).update(**mark):
            outbox.put([choice.pk], kind, about, PUSHED[kind], now=now, until=until)
