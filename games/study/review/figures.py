"""Figures from the reviews of a person's games, for their page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.contract.game_values import Highlight
from games.models import ReviewedPlay, Seat
from games.regional_formats import number
from games.study.review import reviews
from games.study.review.content import Content
from games.whole_numbers import whole
from games.words import signed

# Only this many of the latest reviewed games are added up, so that the page's cost is bounded.
MOST_GAMES: Final = 100
# The number of games in one row of the figures over time.
SPAN: Final = 10
# The number of boldest moves among which to look for one that the reader may see.
MOST_BOLD: Final = 100


@dataclass(frozen=True, slots=True)
class Span:
    """The figures of SPAN games in a row, in words."""

    since: datetime
    until: datetime
    accuracy: str
    errors: str
    luck: str

    @property
    def is_one_day(self) -> bool:
        return self.since.date() == self.until.date()


@dataclass(frozen=True, slots=True)
class Extreme:
    """A person's least likely move of a kind, in `words`, with the code of its game."""

    words: str
    code: str
    moment: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one kind of game, in the active language.

    `totals`: labels and values, each with its sample size, from reviews by the present judge only.
    `over_time`: the same for every SPAN games, the latest first, if there are more than SPAN.
    `boldest`: the boldest move that held, and `best_read`: the least likely doubt that was right,
    each in a game that the viewer may see listed, or None.
    """

    totals: Sequence[tuple[str, str]] = ()
    over_time: Sequence[Span] = ()
    boldest: Extreme | None = None
    best_read: Extreme | None = None


def of_person(person: User, kind_key: str, *, viewer: AnyUser) -> Figures:
    judge = reviews.judges().get(kind_key)
    if judge is None:
        return Figures()
    judged = ReviewedPlay.objects.filter(user=person, kind_key=kind_key, judge=judge, judged=True)
    plays = list(judged.order_by("-finished_at")[:MOST_GAMES])
    return Figures(
        totals=_totals(plays),
        over_time=_over_time(plays),
        **_extremes(person, kind_key, viewer),
    )


def in_short(person: User, games: Iterable[int]) -> dict[int, str]:
    """What the present judges say of a person's games, by the game's number: accuracy and luck."""
    judged = ReviewedPlay.objects.filter(
        user=person,
        game__in=list(games),
        judge__in=reviews.judges().values(),
        judged=True,
        accuracy__isnull=False,
    )
    return {play.game_id: _in_short(play) for play in judged}


def _in_short(play: ReviewedPlay) -> str:
    accuracy = number(round(100 * (play.accuracy or 0.0)))
    if play.luck is None:
        return gettext("Accuracy %(accuracy)s%%") % {"accuracy": accuracy}
    luck = points(play.luck)
    return gettext("Accuracy %(accuracy)s%%, luck %(luck)s%%") % {
        "accuracy": accuracy,
        "luck": luck,
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


def _over_time(plays: Sequence[ReviewedPlay]) -> list[Span]:
    if len(plays) <= SPAN:
        return []
    return [_span(plays[first : first + SPAN]) for first in range(0, len(plays), SPAN)]


def _span(plays: Sequence[ReviewedPlay]) -> Span:
    decisions = sum(play.decisions for play in plays)
    errors = sum(play.inaccuracies + play.mistakes + play.blunders for play in plays)
    return Span(
        since=plays[-1].finished_at,
        until=plays[0].finished_at,
        accuracy=_rate(_right(plays), decisions),
        errors=_rate(errors, decisions),
        luck=_luck(plays) or "–",
    )


def _right(plays: Sequence[ReviewedPlay]) -> float:
    """The sum of the accuracies of all decisions."""
    return sum(play.decisions * (play.accuracy or 0.0) for play in plays)


def _rate(part: float, whole: int) -> str:
    """A share in percent with its sample size; "–" if that is 0."""
    if not whole:
        return "–"
    return gettext("%(percent)s%% (n = %(count)s)") % {
        "percent": number(round(100 * part / whole)),
        "count": number(whole),
    }


def _luck(plays: Sequence[ReviewedPlay]) -> str:
    """The mean luck in percentage points with the number of games; "" if no game has one."""
    luck = [play.luck for play in plays if play.luck is not None]
    if not luck:
        return ""
    return gettext("%(points)s (n = %(count)s)") % {
        "points": points(sum(luck) / len(luck)),
        "count": number(len(luck)),
    }


# The parts of the change from the first chance to the last (see `optional_parts.Judge`).
PARTS: Final = ("own", "gifts", "machine", "luck", "residual")
_TOLD_ALONE: Final = ("own", "luck")  # on other pages too, where they are rounded


def in_points(account: Content) -> dict[str, int]:
    """The known figures of an account in whole percentage points, of which the first chance and all
    parts still sum to the last. Own errors and luck are the nearest numbers, as everywhere else.
    """
    known = [name for name in ("first", *PARTS, "last") if account.get(name) is not None]
    found = {name: round(100 * account[name]) for name in known}
    parts = [name for name in PARTS if name in found]
    if {"first", "last"} <= found.keys() and parts:
        left = found["last"] - found["first"] - sum(found[name] for name in parts)
        moved = [name for name in parts if name not in _TOLD_ALONE and account[name]] or parts[-1:]
        left += sum(found[name] for name in moved)
        exact = [100 * account[name] for name in moved]
        spread = (left - sum(exact)) / len(exact)
        found |= zip(moved, whole([each + spread for each in exact], left), strict=True)
    return found


def points(chance: float) -> str:
    """A change of a chance in whole percentage points, with its sign."""
    return signed(round(100 * chance))


def in_percent(points: int) -> str:
    """ "−6%", with its sign."""
    return gettext("%(percent)s%%") % {"percent": signed(points)}


# --- the boldest move and the best read ----------------------------------------------------------

# The columns of what was told, each with the column of its chance, by which it is ranked.
_EXTREMES: Final = {"boldest": "boldest_chance", "best_read": "best_read_chance"}


def _extremes(person: User, kind_key: str, viewer: AnyUser) -> dict[str, Extreme | None]:
    """The least likely move of each kind, or None.

    Reviews by any judge count, because they are facts. A move in a private game is shown only to
    people who had a seat in it, as in the list of games.
    """
    theirs = ReviewedPlay.objects.filter(user=person, kind_key=kind_key)
    chosen = Q(pk__in=())
    for chance in _EXTREMES.values():
        chosen |= Q(pk=Subquery(_visible(theirs, chance, person, viewer).values("pk")[:1]))
    plays = list(theirs.filter(chosen).select_related("game"))
    return {
        told: _least_likely(kind_key, plays, told, chance) for told, chance in _EXTREMES.items()
    }


def _visible(
    theirs: QuerySet[ReviewedPlay], chance: str, person: User, viewer: AnyUser
) -> QuerySet[ReviewedPlay]:
    """Those plays that have this chance and that the viewer may see, the least likely first."""
    theirs = theirs.filter(**{f"{chance}__isnull": False})
    ranked = theirs.order_by(chance, "pk")
    if viewer == person:
        return ranked
    listed = Q(game__listed=True)
    if viewer.is_authenticated:
        sat_there = Seat.objects.filter(user=viewer.pk, game=OuterRef("game"))
        listed |= Q(Exists(sat_there))
    among = ranked.values("pk")[:MOST_BOLD]
    return theirs.filter(listed, pk__in=among).order_by(chance, "pk")


def _least_likely(
    kind_key: str, plays: Sequence[ReviewedPlay], told: str, chance: str
) -> Extreme | None:
    """The least likely of these plays; one of them is the least likely of all that are visible."""
    ranked = sorted(
        (getattr(each, chance), each.pk, number)
        for number, each in enumerate(plays)
        if getattr(each, chance) is not None and getattr(each, told) is not None
    )
    if not ranked:
        return None
    play = plays[ranked[0][2]]
    move = getattr(play, told)
    return Extreme(bold_words(kind_key, move), play.game.code, move["moment"])


def bold_words(kind_key: str, bold: Mapping[str, Any]) -> str:
    """The boldest move of a play or its best read, as it is stored, in words without a name."""
    told = Highlight(bold["moment"], 0, bold["code"], bold["values"])
    return catalogue.of(kind_key).words.highlight(told, ())
