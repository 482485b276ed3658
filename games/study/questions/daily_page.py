"""The pages of the question of the day: the question, its answer with statistics, the archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext, ngettext

from accounts.models import User
from games import regional_formats
from games import words as words_of_site
from games.contract import catalogue
from games.models import DailyAnswer, DailyRound
from games.study.questions import daily, days, question_page
from games.study.questions.decisions import Decision

# The number of bars; less frequent choices are added up in one more.
_MOST_BARS: Final = 6
# From so many answers on, the choices of others are told as shares, not as numbers.
ENOUGH: Final = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveRow:
    """A row of `questions/days.html`."""

    day: str
    said: str
    game: str
    title: str
    answered: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """The share of a choice of all people; `mine` is the reader's, `theirs` the player's."""

    words: str
    people: int
    share: str
    mine: bool = False
    theirs: bool = False


def asked(shown: DailyRound) -> dict[str, Any]:
    """The context of `questions/day.html` before a choice."""
    decision = daily.decision_of(shown)
    seats = question_page.nobodys_seats(shown.size)
    return question_page.asked(decision, seats) | _of_day(shown)


def answered(
    shown: DailyRound, answer: DailyAnswer, person: User, *, address: str, now: datetime
) -> dict[str, Any]:
    """The context after this person's choice; `address` is the page's absolute URL."""
    decision = daily.decision_of(shown)
    seats = question_page.nobodys_seats(shown.size)
    move = decision.moves_by_key[answer.choice]
    context = question_page.answered(decision, seats, move, shown.judgement)
    counts = daily.tally(shown)
    in_a_row = daily.in_a_row(person, now)
    return (
        context
        | _of_day(shown)
        | {
            "bars": bars(decision, counts, answer.choice),
            "people": counts.total(),
            "counted": answer.counted,
            "in_a_row": in_a_row,
            "address": address,
            "share_text": to_share(shown, in_a_row),
            "next_at": days.begins(days.day_of(now) + timedelta(days=1)),
            "may_agree": not person.lends_decisions,
        }
    )


def bars(decision: Decision, counts: Counter[str], mine: str) -> list[Bar]:
    """The choices of all people, the most frequent first, each with its share in words, or
    with its number while few have answered.

    The reader's choice and the player's are included, however rare.
    """
    words = catalogue.of(decision.kind_key).words
    judged = {
        key: decision.judged(move)
        for key, move in decision.moves_by_key.items()
        if counts[key] or key == mine
    }
    made = decision.made
    theirs = {
        key for key, each in judged.items() if (each.code, each.values) == (made.code, made.values)
    }
    ranked = sorted(judged, key=lambda key: -counts[key])
    shown = [key for key in ranked if key in ranked[:_MOST_BARS] or key == mine or key in theirs]
    total = counts.total()
    found = [
        Bar(
            words=words.move(judged[key]),
            people=counts[key],
            share="",
            mine=key == mine,
            theirs=key in theirs,
        )
        for key in shown
    ]
    rest = total - sum(each.people for each in found)
    if rest:
        found.append(Bar(words=gettext("Something else"), people=rest, share=""))
    shares = [str(each.people) for each in found]
    if total >= ENOUGH:
        shares = words_of_site.percents([each.people / total for each in found])
    return [replace(each, share=share) for each, share in zip(found, shares, strict=True)]


def archive(listed: Sequence[DailyRound], person: User | None) -> list[ArchiveRow]:
    """The rows of `questions/days.html`; `person` is None for visitors."""
    answers = {} if person is None else daily.answers_of(person, listed)
    return [
        ArchiveRow(
            day=each.day.isoformat(),
            said=regional_formats.day(each.day),
            game=catalogue.of(each.kind_key).words.name(),
            title=title(each),
            answered=each.pk in answers,
        )
        for each in listed
    ]


def title(shown: DailyRound) -> str:
    """The question in a few words."""
    decision = daily.decision_of(shown)
    asked, _held = decision.part.summary(decision.known, decision.seat)
    return asked


def _of_day(shown: DailyRound) -> dict[str, Any]:
    return {
        "day": regional_formats.day(shown.day),
        "game": catalogue.of(shown.kind_key).words.name(),
    }


def to_share(shown: DailyRound, in_a_row: int) -> str:
    """A text to share: the hand of the question and the reader's streak, without any answer."""
    decision = daily.decision_of(shown)
    game = catalogue.of(shown.kind_key).words.name()
    lines = [
        f"{game}, {regional_formats.day(shown.day)}",
        decision.part.signs(decision.known, decision.seat),
    ]
    if in_a_row:
        lines.append(
            ngettext("%(days)s-day streak", "%(days)s-day streak", in_a_row) % {"days": in_a_row}
        )
    return "\n".join(lines)
