"""Questions of the day: finding them, answering, what others chose, and streaks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet

from accounts.models import User
from games.contract import catalogue
from games.contract.game_values import RecordedFact
from games.core.codec import key_of, pack, unpack
from games.core.contract import Fact
from games.models import DailyAnswer, DailyRound
from games.store.versioned_lru import VersionedLRU
from games.study.questions import days, decisions
from games.study.questions.decisions import Decision

# Answers to this many newest rounds count for a streak: today's and yesterday's, so that neither
# another time zone nor an evening without the site breaks a streak.
STILL_COUNTS: Final = 2

# Rounds don't store times, because nothing that is shown depends on them.
_NO_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)

# While there are few answers they are counted again every time; later the count is cached.
_FEW: Final = 200
_COUNTED_FOR_SECONDS: Final = 5.0

_decisions: VersionedLRU[Decision] = VersionedLRU(most=60, name="questions of the day")
_tallies: VersionedLRU[Counter[str]] = VersionedLRU(most=60, name="answers of a day")


# --- finding rounds ------------------------------------------------------------------------------


def rounds(now: datetime) -> QuerySet[DailyRound]:
    """The rounds that are visible by now, the newest first, without loading their hidden facts."""
    seen = DailyRound.objects.filter(withdrawn_at__isnull=True, day__lte=days.day_of(now))
    return seen.defer("facts", "judgement")


def newest(now: datetime) -> DailyRound | None:
    """The latest round, which is usually today's; None before there is any."""
    return rounds(now).first()


def of_day(day: date, now: datetime) -> DailyRound | None:
    """The round of this day; None if there is none yet, or none any more."""
    return rounds(now).filter(day=day).first()


def decision_of(asked: DailyRound) -> Decision:
    """The decision that a round asks about. Raises ValueError for a withdrawn round."""
    key = (asked.pk, asked.created_at)
    kept = _decisions.get(key)
    if kept is not None:
        return kept[1]
    found = read(asked.kind_key, asked.facts, asked.moment)
    if found is None:
        raise ValueError(f"the round of {asked} shows no decision")
    _decisions.keep(key, 0, found)
    return found


def written(facts: Sequence[Fact]) -> list[Any]:
    """Facts in JSON, as a round stores them."""
    return [pack(fact) for fact in facts]


def read(kind_key: str, facts: Sequence[Any], number: int) -> Decision | None:
    """The decision at the moment `number` of these facts in JSON; None if there is none."""
    kind = catalogue.of(kind_key)
    if kind.questions is None:
        return None
    unpacked = [unpack(kind.rules.FACTS, fact) for fact in facts]
    return decisions.find(kind_key, kind.questions.moments(log_of(unpacked)), number)


def log_of(facts: Sequence[Fact]) -> list[RecordedFact]:
    """Turn facts into a log by adding numbers and a dummy time."""
    return [RecordedFact(seq, _NO_TIME, fact) for seq, fact in enumerate(facts, start=1)]


# --- answering -----------------------------------------------------------------------------------


def answer(
    asked: DailyRound, person: User, move: Any, *, counted: bool, now: datetime
) -> DailyAnswer:
    """Store this person's answer; if they have answered before, the first one stays. Returns it."""
    newer = rounds(now).filter(day__gt=asked.day).count()
    found, _is_new = DailyAnswer.objects.get_or_create(
        round=asked,
        person=person,
        defaults={
            "choice": key_of(move),
            "in_time": newer < STILL_COUNTS,
            "counted": counted,
            "answered_at": now,
        },
    )
    return found


def answers_of(person: User, asked: Sequence[DailyRound]) -> dict[int, DailyAnswer]:
    """This person's answers to these rounds, by the round's key."""
    found = DailyAnswer.objects.filter(person=person, round__in=[each.pk for each in asked])
    return {each.round_id: each for each in found}


def tally(asked: DailyRound) -> Counter[str]:
    """How many people chose each move, by `codec.key_of`."""
    now, kept = monotonic(), _tallies.get(asked.pk)
    if kept is not None and now - kept[0] < _COUNTED_FOR_SECONDS and kept[1].total() >= _FEW:
        return kept[1]
    counted = DailyAnswer.objects.filter(round=asked, counted=True)
    rows = counted.order_by().values_list("choice").annotate(people=Count("pk"))
    found = Counter(dict(rows))
    _tallies.keep(asked.pk, now, found)
    return found


def in_a_row(person: User, now: datetime) -> int:
    """The length of this person's streak: days in a row that they answered in time.

    Unanswered rounds that still count do not break it, nor do days without a round or with a
    withdrawn one.
    """
    open_days = list(rounds(now).values_list("day", flat=True)[:STILL_COUNTS])
    in_time = DailyAnswer.objects.filter(person=person, in_time=True)
    answered = in_time.filter(round__day__lte=days.day_of(now))
    missed = (
        rounds(now)
        .filter(day__lt=open_days[-1] if open_days else days.day_of(now))
        .exclude(Exists(in_time.filter(round__day=OuterRef("day"))))
        .values_list("day", flat=True)
        .first()
    )
    if missed is not None:
        answered = answered.filter(round__day__gt=missed)
    return answered.aggregate(days=Count("round__day", distinct=True))["days"] or 0


# --- withdrawing rounds --------------------------------------------------------------------------


def withdraw(chosen: QuerySet[DailyRound], *, now: datetime) -> int:
    """Withdraw these rounds for good and delete their facts; returns how many there were.

    The answers stay, for the streaks. If one was today's, another round is chosen, never from the
    same game.
    """
    there = chosen.filter(withdrawn_at__isnull=True)
    return there.update(withdrawn_at=now, facts=[], judgement=None, decided_by=None)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User, *, now: datetime) -> None:
    """Delete this person's answers, and withdraw the rounds about their decisions."""
    with transaction.atomic():
        # A concurrent choice of a round about this person waits for this lock, and then fails.
        User.objects.select_for_update().filter(pk=person.pk).first()
        withdraw(DailyRound.objects.filter(decided_by=person), now=now)
        DailyAnswer.objects.filter(person=person).delete()


def export(person: User) -> Mapping[str, Any]:
    """This person's answers, and the rounds about their decisions, ready for JSON."""
    answered = DailyAnswer.objects.filter(person=person).select_related("round")
    about = DailyRound.objects.filter(decided_by=person)
    return {
        "questions_of_the_day": [
            {
                "day": each.round.day.isoformat(),
                "game": each.round.kind_key,
                "choice": json.loads(each.choice),
                "in_time": each.in_time,
                "counted": each.counted,
                "answered": each.answered_at.isoformat(),
            }
            for each in answered
        ],
        "questions_of_the_day_about_me": [each.day.isoformat() for each in about.order_by("day")],
    }
