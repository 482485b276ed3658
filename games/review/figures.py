"""What the reviews of a person's games add up to, for their page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue
from games.game_values import Highlight
from games.models import ReviewedPlay, Seat
from games.regional_formats import number
from games.review import services

# The latest reviewed games are added up, so that the page costs the same after thousands.
MOST_GAMES: Final = 100
# So many games together say how things went at a time.
SPAN: Final = 10
# The boldest moves among which one is found that the reader may see.
MOST_BOLD: Final = 100


def of_person(person: User, kind_key: str, *, viewer: AnyUser) -> dict[str, Any]:
    """What the page shows of a game, in the active language:

    `totals`: labels and values, each with what it counts, by the present judge alone; `over_time`:
    the same for every SPAN games, the latest first, where there are more; `boldest`: the boldest
    move that held, in a game that this reader may see listed, or None.
    """
    judge = services.judges().get(kind_key)
    if judge is None:
        return {"totals": [], "over_time": [], "boldest": None}
    judged = ReviewedPlay.objects.filter(user=person, kind_key=kind_key, judge=judge, judged=True)
    plays = list(judged.order_by("-finished_at")[:MOST_GAMES])
    return {
        "totals": _totals(plays),
        "over_time": _over_time(plays),
        "boldest": _boldest(person, kind_key, viewer),
    }


def _totals(plays: Sequence[ReviewedPlay]) -> list[tuple[str, str]]:
    decisions = sum(play.decisions for play in plays)
    if not decisions:
        return []
    wrong = (
        (gettext("Inaccuracies"), sum(play.inaccuracies for play in plays)),
        (gettext("Mistakes"), sum(play.mistakes for play in plays)),
        (gettext("Blunders"), sum(play.blunders for play in plays)),
    )
    luck = _luck(plays)
    return [
        (gettext("Accuracy"), _rate(_right(plays), decisions)),
        *((label, _rate(count, decisions)) for label, count in wrong),
        *([(gettext("Luck per game, in percentage points"), luck)] if luck else []),
    ]


def _over_time(plays: Sequence[ReviewedPlay]) -> list[dict[str, Any]]:
    """Every SPAN games: `since`, `until`, and in words `accuracy`, `errors` and `luck`."""
    if len(plays) <= SPAN:
        return []
    return [_span(plays[first : first + SPAN]) for first in range(0, len(plays), SPAN)]


def _span(plays: Sequence[ReviewedPlay]) -> dict[str, Any]:
    since: datetime = plays[-1].finished_at
    decisions = sum(play.decisions for play in plays)
    errors = sum(play.inaccuracies + play.mistakes + play.blunders for play in plays)
    return {
        "since": since,
        "until": plays[0].finished_at,
        "is_one_day": since.date() == plays[0].finished_at.date(),
        "accuracy": _rate(_right(plays), decisions),
        "errors": _rate(errors, decisions),
        "luck": _luck(plays) or "–",
    }


def _right(plays: Sequence[ReviewedPlay]) -> float:
    """The sum of the accuracies of all decisions."""
    return sum(play.decisions * (play.accuracy or 0.0) for play in plays)


def _rate(part: float, whole: int) -> str:
    """A share in percent, and of how many; "–" of nothing."""
    if not whole:
        return "–"
    return gettext("%(percent)s%% (n = %(count)s)") % {
        "percent": number(round(100 * part / whole)),
        "count": number(whole),
    }


def _luck(plays: Sequence[ReviewedPlay]) -> str:
    """The mean luck in percentage points, and of how many games; "" where none has any."""
    luck = [play.luck for play in plays if play.luck is not None]
    if not luck:
        return ""
    return gettext("%(points)s (n = %(count)s)") % {
        "points": points(sum(luck) / len(luck)),
        "count": number(len(luck)),
    }


def points(chance: float) -> str:
    """A change of a chance in whole percentage points, with its sign."""
    whole = round(100 * chance)
    sign = "+" if whole > 0 else "−" if whole < 0 else ""
    return f"{sign}{number(abs(whole))}"


# --- the boldest ---------------------------------------------------------------------------------


def _boldest(person: User, kind_key: str, viewer: AnyUser) -> dict[str, Any] | None:
    """The move that held and was least likely, in `words`, with the `code` of its game and its
    `moment`.

    By whatever judge: it is a fact. Games by link are told to those who sat there, as in the list.
    """
    theirs = ReviewedPlay.objects.filter(
        user=person, kind_key=kind_key, boldest_chance__isnull=False
    )
    biggest = theirs.order_by("boldest_chance", "pk")
    if viewer != person:
        listed = Q(game__listed=True)
        if viewer.is_authenticated:
            sat_there = Seat.objects.filter(user=viewer.pk, game=OuterRef("game"))
            listed |= Q(Exists(sat_there))
        among = biggest.values("pk")[:MOST_BOLD]
        biggest = theirs.filter(listed, pk__in=among).order_by("boldest_chance", "pk")
    play = biggest.select_related("game").first()
    if play is None or play.boldest is None:
        return None
    bold = play.boldest
    told = Highlight(bold["moment"], 0, bold["code"], bold["values"])
    words = catalogue.of(kind_key).words.highlight(told, ())
    return {"words": words, "code": play.game.code, "moment": told.moment}
