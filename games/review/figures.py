"""What the reviews of a person's games add up to, for their page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext

from accounts.models import User
from games.models import ReviewedPlay
from games.regional_formats import number
from games.review import services

# The latest reviewed games are added up, so that the page costs the same after thousands.
MOST_GAMES: Final = 100


def of_person(person: User, kind_key: str) -> Sequence[tuple[str, str]]:
    """Labels and values in the active language, each with what it counts; nothing where no game of
    this kind was judged by the present judge.
    """
    judge = services.judges().get(kind_key)
    if judge is None:
        return []
    judged = ReviewedPlay.objects.filter(user=person, kind_key=kind_key, judge=judge, judged=True)
    plays = list(judged.order_by("-finished_at")[:MOST_GAMES])
    decisions = sum(play.decisions for play in plays)
    if not decisions:
        return []
    right = sum(play.decisions * (play.accuracy or 0.0) for play in plays)
    wrong = (
        (gettext("Inaccuracies"), sum(play.inaccuracies for play in plays)),
        (gettext("Mistakes"), sum(play.mistakes for play in plays)),
        (gettext("Blunders"), sum(play.blunders for play in plays)),
    )
    luck = [play.luck for play in plays if play.luck is not None]
    return [
        (gettext("Accuracy"), _rate(right, decisions)),
        *((label, _rate(count, decisions)) for label, count in wrong),
        *([(gettext("Luck per game, in percentage points"), _mean(luck))] if luck else []),
    ]


def _rate(part: float, whole: int) -> str:
    return gettext("%(percent)s%% (n = %(count)s)") % {
        "percent": number(round(100 * part / whole)),
        "count": number(whole),
    }


def _mean(luck: Sequence[float]) -> str:
    """The mean luck in percentage points, and of how many games."""
    return gettext("%(points)s (n = %(count)s)") % {
        "points": points(sum(luck) / len(luck)),
        "count": number(len(luck)),
    }


def points(chance: float) -> str:
    """A change of a chance in whole percentage points, with its sign."""
    whole = round(100 * chance)
    sign = "+" if whole > 0 else "−" if whole < 0 else ""
    return f"{sign}{number(abs(whole))}"
