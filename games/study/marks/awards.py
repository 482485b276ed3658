"""Awarding of marks for finished games: by a job soon after the end, by reviews, by a command.

Awarding is idempotent: a mark that a person has is not written again. So processes may award the
same game at once, and a game whose process died is looked through again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.contract import catalogue
from games.contract.game_values import Earned
from games.contract.optional_parts import Marks
from games.models import Game, GameReview, Mark, Seat
from games.play import marks_due
from games.play.jobs import failing_alone
from games.store import review_content
from games.store.batches import in_batches

# The least people who played to the end, for marks that cannot be earned against bots.
LEAST_PEOPLE: Final = 2
_AT_ONCE: Final = 20

logger = logging.getLogger(__name__)


def run(now: datetime, share: float) -> bool:
    """Award the marks of games that have ended for about `share` seconds; whether more may wait."""
    until = monotonic() + share
    waiting = marks_due.waiting(now=now, most=_AT_ONCE)
    for game in waiting:
        later = partial(marks_due.set_aside, game, now=now)
        with failing_alone(logger, "awarding marks failed game=%s", game.code, otherwise=later):
            award(game)
        if monotonic() >= until:
            return True
    return len(waiting) == _AT_ONCE


def award(game: Game) -> None:
    """Award the marks of a finished game, by its log and its review if it has one.

    Raises ValueError while it runs.
    """
    kind = catalogue.of(game.kind_key)
    if kind.marks is None:
        return
    earned = [*kind.marks.earned(kind.replay.moments(game))]
    review = GameReview.objects.filter(game=game).first()
    if review is not None:
        accounts = review_content.unpacked(review.content).get("accounts", ())
        earned += _by_review(kind.marks, accounts)
    with transaction.atomic():
        _write(game, kind.marks, earned)
        marks_due.done(game, kind.marks.VERSION)


def award_by_review(game: Game, accounts: Iterable[Mapping[str, Any]]) -> None:
    """Award the marks of a game that counts by these accounts of its review, in the caller's
    transaction that stores it.
    """
    marks = catalogue.of(game.kind_key).marks
    if marks is not None:
        _write(game, marks, _by_review(marks, accounts))


def _by_review(marks: Marks, accounts: Iterable[Mapping[str, Any]]) -> list[Earned]:
    return [each for account in accounts for each in marks.earned_by_review(account)]


def _write(game: Game, marks: Marks, earned: Iterable[Earned]) -> None:
    """Write the marks of the people who played to the end and don't have them yet.

    Rows are written in a fixed order, so that two games of the same people never deadlock.
    """
    seats = Seat.objects.filter(game=game, user__isnull=False).select_related("user")
    people = {
        seat.number: seat.user
        for seat in seats
        if not seat.left and seat.user is not None and not seat.user.is_deleted
    }
    ended: Any = game.finished_at
    together = len(people) >= LEAST_PEOPLE
    rows = {
        (each.key, people[each.seat].pk): each.moment
        for each in earned
        if each.seat in people and (together or each.key in marks.ALONE)
    }
    Mark.objects.bulk_create(
        (
            Mark(
                user_id=user,
                kind_key=game.kind_key,
                key=key,
                game=game,
                moment=moment,
                at=ended,
            )
            for (key, user), moment in sorted(rows.items())
        ),
        ignore_conflicts=True,
    )


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    Mark.objects.filter(user=person).delete()


def export(person: User) -> dict[str, Any]:
    """The marks of this person, ready for JSON."""
    found = Mark.objects.filter(user=person).select_related("game")
    return {"marks": map(_export_mark, in_batches(found))}


def _export_mark(mark: Mark) -> dict[str, Any]:
    return {
        "of": mark.kind_key,
        "mark": mark.key,
        "game": mark.game and mark.game.code,
        "moment": mark.moment,
        "earned": mark.at.isoformat(),
    }
