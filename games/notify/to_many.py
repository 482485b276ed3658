"""Pushes to many people: somebody waits for a game, the question of the day, the next meeting.

A job checks whether there is a reason to call people. Each person is marked as called in the
transaction that writes the message, so that concurrent processes call each person only once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import DailyAnswer, DailyRound, Mute, PushChoice, PushSubscription, Search
from games.notify.hours import next_meeting
from games.notify.texts import MEETING, QUESTION, WAITING
from games.social.push import outbox, quiet
from games.social.push.outbox import Pushed
from games.store import here
from games.study.questions import days

# A person must have waited this long before others are called; somebody may come before.
ALONE_FOR: Final = timedelta(seconds=20)
# How often a person is called in 24 hours because somebody waits, and the least time between.
CALLS_A_DAY: Final = 2
BETWEEN: Final = timedelta(hours=2)
# How many are called for a waiting person, those called longest ago first; and the time after which
# others are called if nobody came.
CALLED_AT_ONCE: Final = 20
OTHERS_AFTER: Final = timedelta(minutes=5)
# After this much of a day, nobody else is called for its question.
LATE: Final = timedelta(hours=12)
MEETS_IN: Final = timedelta(minutes=10)
_AT_ONCE: Final = 200
PUSHED: Final = {
    WAITING: Pushed("waiting", timedelta(minutes=5)),
    QUESTION: Pushed("question", timedelta(days=1)),  # until the next: nights may be long
    MEETING: Pushed("meeting", timedelta(minutes=20)),
}


def run(now: datetime, share: float) -> bool:
    """Call the people for whom there is a reason: a job. Returns whether more are left."""
    _call_for_who_waits(now)
    more = _call_for_the_question(now)
    return _call_for_the_meeting(now) or more


def _with_browser(**wants: object) -> QuerySet[PushChoice]:
    browsers = PushSubscription.objects.filter(user=OuterRef("pk"))
    return PushChoice.objects.filter(Exists(browsers), user__is_active=True, **wants)


# --- somebody waits ------------------------------------------------------------------------------


def _call_for_who_waits(now: datetime) -> None:
    waiting = here.in_line(now=now).filter(state=Search.State.WAITING)
    alone = waiting.filter(changed_at__lte=now - ALONE_FOR, user__is_active=True)
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
    # People who were never called come first.
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
    if now - days.begins(day) > LATE:
        return False  # the site was down
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
    mark: dict[str, object],
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
    mark: dict[str, object],
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
