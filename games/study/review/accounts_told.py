"""The account of each seat in a review, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, ngettext, pgettext

from games.models import Seat
from games.regional_formats import number
from games.study.review.content import Content
from games.study.review.figures import PARTS, in_percent, in_points
from games.words import counted_errors, percent, signed

ACCOUNT: Final = ("first", *PARTS, "last")
_CHANCES: Final = ("first", "last")
_MACHINE: Final = "machine"


@dataclass(frozen=True, slots=True)
class ToldAccount:
    """The account of one seat: one line of all players, and one row of the table of chances."""

    name: str
    avatar: dict[str, str]
    summary: str
    n: str
    figures: Sequence[str]  # by the parts of the table


def parts(accounts: Sequence[Content]) -> list[str]:
    """The columns of the table of chances: those of which any account has something to say."""
    found = [name for name in ACCOUNT if any(name in each for each in accounts)]
    return [name for name in found if name != _MACHINE or any(each.get(name) for each in accounts)]


def of_machine(seats: Iterable[Seat]) -> str:
    """The name of what bots' and automatic moves and people who left changed."""
    if any(seat.gone for seat in seats):
        return pgettext("what changed a chance", "bots and people leaving")
    return pgettext("what changed a chance", "moves by bots")


def told(account: Content, parts: Sequence[str], seat: Seat) -> ToldAccount:
    shown = in_points(account)
    return ToldAccount(
        name=seat.name,
        avatar=seat.avatar,
        summary=gettext("bot") if seat.bot else _summary(account),
        n=number(account["decisions"]),
        figures=[figure(name, shown.get(name)) for name in parts],
    )


def figure(name: str, points: int | None) -> str:
    """A figure of an account: a chance in percent, or a change in points with its sign."""
    if points is None:
        return "–"
    return number(points) if name in _CHANCES else signed(points)


def _wrong(account: Content) -> str:
    """The number of errors of each kind, in words; "" for none."""
    kinds = ("inaccuracies", "mistakes", "blunders")
    return ", ".join(counted_errors(**{kind: account[kind] for kind in kinds}))


def _summary(account: Content) -> str:
    """An account in one line: accuracy with the number of decisions, errors, and luck.

    For a seat that was not judged, only the number of decisions.
    """
    n = account["decisions"]
    if account["accuracy"] is None:
        return ngettext("%(count)s decision", "%(count)s decisions", n) % {"count": number(n)}
    accuracy = gettext("accuracy %(percent)s (n = %(count)s)") % {
        "percent": percent(account["accuracy"]),
        "count": number(n),
    }
    luck = in_points(account).get("luck")
    lucky = "" if luck is None else gettext("luck %(percent)s") % {"percent": in_percent(luck)}
    return " · ".join(filter(None, (accuracy, _wrong(account), lucky)))
