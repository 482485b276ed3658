"""The question of the day on the home page: asked with two answers, and revealed in place.

Before the reader has answered, it contains nothing of the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from time import monotonic
from typing import Any, Final

from django.utils.translation import ngettext

from accounts.models import User
from accounts.requests import AnyUser
from games import words as words_of_site
from games.contract import catalogue
from games.contract.game_values import Side
from games.contract.shown import ShownSeat
from games.models import DailyAnswer, DailyRound
from games.store.versioned_lru import VersionedLRU
from games.study.questions import daily, daily_page, days, question_page
from games.study.questions.decisions import Decision, Situation

# From so many answers on, what others said is told as shares.
ENOUGH: Final = daily_page.ENOUGH
_COUNTED_FOR_SECONDS: Final = 300.0

_in_a_row: VersionedLRU[int] = VersionedLRU(most=5_000, name="days in a row")


@dataclass(frozen=True, slots=True)
class Today:
    """The newest question, and this person's answers to those that count for a streak."""

    asked: DailyRound
    answers: dict[int, DailyAnswer]
    newest: Sequence[DailyRound]

    @property
    def answer(self) -> DailyAnswer | None:
        return self.answers.get(self.asked.pk)


@dataclass(frozen=True, slots=True)
class Said:
    """How many others gave an answer, as a number or a share."""

    word: str
    share: str


def today(user: AnyUser, now: datetime) -> Today | None:
    """The newest question; None before there is any."""
    newest = list(daily.rounds(now)[: daily.STILL_COUNTS])
    known = {kind.key for kind in catalogue.every()}
    if not newest or newest[0].kind_key not in known:
        return None
    return _of(newest[0], user, newest)


def of_round(asked: DailyRound, user: AnyUser, now: datetime) -> Today:
    """This question, on a home page that may be older than the newest one."""
    return _of(asked, user, list(daily.rounds(now)[: daily.STILL_COUNTS]))


def _of(asked: DailyRound, user: AnyUser, newest: Sequence[DailyRound]) -> Today:
    answers = daily.answers_of(user, [asked, *newest]) if user.is_authenticated else {}
    return Today(asked, answers, newest)


def asked(shown: DailyRound) -> dict[str, Any]:
    """The context of `questions/_stage.html` before an answer."""
    decision = daily.decision_of(shown)
    context = question_page.asked(decision, question_page.nobodys_seats(shown.size))
    challenge, other = decision.part.sides(decision.known, decision.seat)
    fields = {**challenge.fields, **other.fields}
    del fields["do"]
    return (
        context
        | _scene(shown, decision, context["t"].seats)
        | {
            "held": context["o"].hand,
            "sides": (challenge, other),
            "fields": fields,
        }
    )


def answered(today: Today, person: User, *, now: datetime) -> dict[str, Any]:
    """The context after this person's answer: what a challenge would have revealed."""
    shown, answer = today.asked, today.answers[today.asked.pk]
    decision = daily.decision_of(shown)
    context = question_page.revealed(decision, question_page.nobodys_seats(shown.size))
    challenged = decision.moves_by_key[answer.choice] == decision.part.CHALLENGE
    in_a_row = _streak(person, today, now)
    return (
        context
        | _scene(shown, decision, context["t"].seats)
        | {
            "held": context["t"].held,
            "told": decision.part.told(context["t"], challenged=challenged),
            "others_said": _others_said(shown, decision, answer),
            "next": _next(now),
            "in_a_row": in_a_row,
            "share_text": daily_page.to_share(shown, in_a_row),
        }
    )


def _scene(shown: DailyRound, decision: Decision, seats: Sequence[ShownSeat]) -> dict[str, Any]:
    return {"day_of": shown.day.isoformat()} | scene(decision, seats)


def scene(situation: Situation, seats: Sequence[ShownSeat]) -> dict[str, Any]:
    """The others in the order of the table, and where the scene is drawn."""
    out = {*situation.known.out, *situation.known.gone}
    around = [*seats[situation.seat + 1 :], *seats[: situation.seat]]
    return {
        "kind_key": situation.kind_key,
        "scene_template": f"{situation.kind_key}/_stage.html",
        # Whoever is out holds nothing.
        "others": [each for each in around if each.number not in out],
    }


def _others_said(shown: DailyRound, decision: Decision, answer: DailyAnswer) -> Sequence[Said]:
    """What others answered, by the two sides; empty if nobody else has answered."""
    counts = daily.tally(shown)
    challenged, going_on = 0, 0
    for key, people in counts.items():
        people -= answer.counted and key == answer.choice  # noqa: PLW2901
        if decision.moves_by_key.get(key) == decision.part.CHALLENGE:
            challenged += people
        else:
            going_on += people
    total = challenged + going_on
    if not total:
        return ()
    sides: Sequence[Side] = decision.part.sides(decision.known, decision.seat)
    numbers = (challenged, going_on)
    shares = [str(each) for each in numbers]
    if total >= ENOUGH:
        shares = words_of_site.percents([each / total for each in numbers])
    return [Said(side.word, share) for side, share in zip(sides, shares, strict=True)]


def _next(now: datetime) -> str:
    """When the next question comes, in whole hours or in minutes."""
    left = days.begins(days.day_of(now) + timedelta(days=1)) - now
    minutes = max(1, round(left.total_seconds() / 60))
    if minutes < 60:
        form = ngettext("Next one in %(n)s minute", "Next one in %(n)s minutes", minutes)
        return form % {"n": minutes}
    hours = round(minutes / 60)
    form = ngettext("Next one in %(n)s hour", "Next one in %(n)s hours", hours)
    return form % {"n": hours}


def _streak(person: User, today: Today, now: datetime) -> int:
    """The length of this person's streak, counted now and then."""
    # It depends on these alone, except for withdrawn rounds.
    key = (person.pk, *(each.pk for each in today.newest), *sorted(today.answers))
    at, kept = _in_a_row.get(key) or (-inf, 0)
    if monotonic() - at > _COUNTED_FOR_SECONDS:
        kept = daily.in_a_row(person, now)
        _in_a_row.keep(key, monotonic(), kept)
    return kept
