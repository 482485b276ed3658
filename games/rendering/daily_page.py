"""The pages of questions of the day: one question, what others chose, and the archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from time import monotonic
from typing import Any, Final

from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue, regional_formats
from games import words as words_of_site
from games.models import DailyAnswer, DailyRound
from games.questions import daily, days
from games.questions.decisions import Decision
from games.rendering import question_page
from games.store.versioned_lru import VersionedLRU

# What is chosen less often than these is added up.
_MOST_BARS: Final = 6
# How good a choice was, in a text that is shared: the shapes of `games/_review_defs.html`.
_SIGNS: Final = {"": "★", "inaccuracy": "●", "mistake": "▲", "blunder": "■"}
_COUNTED_FOR_SECONDS: Final = 300.0

_in_a_row: VersionedLRU[int] = VersionedLRU(most=5_000, name="days in a row")


def asked(shown: DailyRound) -> dict[str, Any]:
    """The context of `questions/day.html` before a choice."""
    decision = daily.decision_of(shown)
    seats = question_page.nobodys_seats(shown.size)
    return question_page.asked(decision, seats) | _of_day(shown)


def answered(
    shown: DailyRound, answer: DailyAnswer, person: User, *, address: str, now: datetime
) -> dict[str, Any]:
    """The context after this person's choice; `address` is the absolute one of the page."""
    decision = daily.decision_of(shown)
    seats = question_page.nobodys_seats(shown.size)
    move = decision.moves_by_key[answer.choice]
    context = question_page.answered(decision, seats, move, shown.judgement)
    counts = daily.tally(shown)
    in_a_row = daily.in_a_row(person, now)
    day = regional_formats.day(shown.day)
    return (
        context
        | _of_day(shown)
        | {
            "bars": bars(decision, counts, answer.choice),
            "people": counts.total(),
            "counted": answer.counted,
            "in_a_row": in_a_row,
            "address": address,
            "share_text": _to_share(shown, day, counts, answer, in_a_row, context["j"]),
            "next_at": days.begins(days.day_of(now) + timedelta(days=1)),
            "may_agree": not person.lends_decisions,
        }
    )


def bars(decision: Decision, counts: Counter[str], mine: str) -> list[dict[str, Any]]:
    """What people chose, the most frequent first, each with its share of all in words.

    The reader's choice and the player's are among them, however rare.
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
    found: list[dict[str, Any]] = [
        {
            "words": words.move(judged[key]),
            "people": counts[key],
            "share": words_of_site.percent(counts[key] / max(total, 1)),
            "mine": key == mine,
            "theirs": key in theirs,
        }
        for key in shown
    ]
    rest = total - sum(each["people"] for each in found)
    if rest:
        share = words_of_site.percent(rest / total)
        found.append({"words": gettext("Something else"), "people": rest, "share": share})
    return found


def archive(listed: Sequence[DailyRound], person: User | None) -> list[dict[str, Any]]:
    """The rows of `questions/days.html`; `person` is None for visitors."""
    answers = {} if person is None else daily.answers_of(person, listed)
    return [
        {
            "day": each.day.isoformat(),
            "said": regional_formats.day(each.day),
            "game": catalogue.of(each.kind_key).words.name(),
            "title": title(each),
            "answered": each.pk in answers,
        }
        for each in listed
    ]


def line(user: AnyUser, now: datetime) -> dict[str, Any] | None:
    """The newest question for `questions/_line.html`; None before there is any."""
    shown = daily.newest(now)
    if shown is None:
        return None
    answered = user.is_authenticated and shown.pk in daily.answers_of(user, [shown])
    return {"day": shown.day.isoformat(), "title": title(shown), "answered": answered}


def line_of(person: User, now: datetime) -> dict[str, Any] | None:
    """The same for one's own home page, with how many days `in_a_row` have been answered."""
    newest = list(daily.rounds(now)[: daily.STILL_COUNTS])
    if not newest:
        return None
    answers = daily.answers_of(person, newest)
    # Their number follows from these, but for rounds that are taken out.
    key = (person.pk, *(each.pk for each in newest), *sorted(answers))
    at, kept = _in_a_row.get(key) or (-inf, 0)
    if monotonic() - at > _COUNTED_FOR_SECONDS:
        kept = daily.in_a_row(person, now)
        _in_a_row.keep(key, monotonic(), kept)
    return {
        "day": newest[0].day.isoformat(),
        "title": title(newest[0]),
        "answered": newest[0].pk in answers,
        "in_a_row": kept,
    }


def title(shown: DailyRound) -> str:
    """What is asked, in a few words."""
    decision = daily.decision_of(shown)
    asked, _held = decision.part.summary(decision.known, decision.seat)
    return asked


def _of_day(shown: DailyRound) -> dict[str, Any]:
    return {
        "day": regional_formats.day(shown.day),
        "game": catalogue.of(shown.kind_key).words.name(),
    }


def _to_share(
    shown: DailyRound,
    day: str,
    counts: Counter[str],
    answer: DailyAnswer,
    in_a_row: int,
    judged: Mapping[str, Any] | None,
) -> str:
    """A text that tells how the reader fared and nothing of the answer."""
    lines = [
        gettext("Question of the day, %(day)s: %(game)s")
        % {"day": day, "game": catalogue.of(shown.kind_key).words.name()}
    ]
    if judged is not None:
        lines.append(f"{_SIGNS[judged['kind']]} {judged['verdict']}")
    others = counts.total() - answer.counted
    if others > 0:
        like_me = counts[answer.choice] - answer.counted
        lines.append(
            gettext("%(share)s of the others chose like me. And you?")
            % {"share": words_of_site.percent(like_me / others)}
        )
    else:
        lines.append(gettext("I've chosen. And you?"))
    if in_a_row > 1:
        lines.append(
            ngettext("%(days)s day in a row", "%(days)s days in a row", in_a_row)
            % {"days": in_a_row}
        )
    return "\n".join(lines)
