"""What a review says first: how the game ended, what decided it, and the moments to look at again.

All of it is in one unit, chances of winning in percent: "of the game".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, ngettext

from games import words
from games.models import Seat
from games.regional_formats import number
from games.study.review.content import Content
from games.study.review.figures import in_percent, in_points
from games.words import percent

MOST_MOMENTS: Final = 3
_MUCH: Final = 5  # percentage points; less is said to be nothing much
_MAINLY: Final = 0.6  # of what all decisions cost, the share that makes one of them "the" one
_MOST: Final = 10  # percentage points; what costs less is one of many small errors
_WHOLE: Final = 100  # percentage points: a game that was lost and won again more than once


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the first look, with its name and what it counts."""

    value: str
    name: str
    counts: str
    tone: str  # good, bad or plain


@dataclass(frozen=True, slots=True)
class ToldMoment:
    """A moment to look at again; `kind` is that of its mark in the chart."""

    number: int
    url: str
    kind: str
    round: int
    name: str  # of its player; "" for the reader
    words: str
    told: str
    cost: str


@dataclass(frozen=True, slots=True)
class FirstLook:
    title: str
    told: str
    figures: Sequence[Figure]
    moments: Sequence[ToldMoment]


def title(seats: Sequence[Seat], reader: int | None) -> str:
    """ "You finished 2nd of 4.", or who won."""
    if reader is None or seats[reader].place is None:
        winners = [seat.name for seat in seats if seat.place == 1]
        return gettext("%(name)s won.") % {"name": ", ".join(winners)} if winners else ""
    place = seats[reader].place or 0
    if place == 1:
        return gettext("You won.")
    values = {"place": words.ordinal(place), "seats": number(len(seats))}
    return gettext("You finished %(place)s of %(seats)s.") % values


def decided(
    account: Content, worst: ToldMoment | None, worst_cost: float, *, automatic: float = 0.0
) -> str:
    """What decided the game for the reader, by their own account: dice, decisions and what was
    played for them, the larger part first; "" where the judge has computed nothing of it.

    `automatic`: the chances of winning that moves played for the reader cost.
    """
    shown = in_points(account)
    luck, own = shown.get("luck"), shown.get("own")
    if luck is None or own is None:
        return ""
    told, lost = [(abs(luck), _of_the_dice(luck))], round(100 * automatic)
    if account["decisions"]:
        is_all = lost < _MUCH
        told.append((-own, _of_decisions(-own, worst, worst_cost, is_all=is_all)))
    if lost >= _MUCH:
        told.append((lost, _of_automatic_moves(lost)))
    return " ".join(text for _, text in sorted(told, key=lambda each: -each[0]))


def played_for(decisions: Sequence[Content], reader: int) -> float:
    """What moves that were played automatically for the reader cost, in chances of winning."""
    theirs = (each for each in decisions if (each["seat"], each["by"]) == (reader, "clock"))
    return sum((each["cost"] or 0.0 for each in theirs), start=0.0)


def _of_the_dice(luck: int) -> str:
    values = {"percent": number(abs(luck))}
    if luck >= _WHOLE:
        return gettext("Luck gave you %(percent)s%%, added up.") % values
    if luck <= -_WHOLE:
        return gettext("Luck took %(percent)s%% from you, added up.") % values
    if luck >= _MUCH:
        return gettext("Luck gave you %(percent)s%% of the game.") % values
    if luck <= -_MUCH:
        return gettext("Luck took %(percent)s%% of the game from you.") % values
    return gettext("Luck was even.")


def _of_automatic_moves(lost: int) -> str:
    values = {"percent": number(lost)}
    if lost >= _WHOLE:
        return gettext("Moves played automatically for you cost %(percent)s%%, added up.") % values
    return gettext("Moves played automatically for you cost %(percent)s%% of the game.") % values


def _of_decisions(given: int, worst: ToldMoment | None, worst_cost: float, *, is_all: bool) -> str:
    """`is_all`: nothing else that was played for the reader cost much."""
    if given < _MUCH:
        if is_all:
            return gettext("No decision cost you much.")
        return gettext("No decision of your own cost you much.")
    values = {"percent": number(given)}
    if worst is not None:
        values |= {"round": number(worst.round), "move": worst.words}
    if 100 * worst_cost >= _MAINLY * given:
        values["percent"] = number(round(100 * worst_cost))
        told = gettext("One decision cost you %(percent)s%%, in round %(round)s: %(move)s.")
    elif given >= _WHOLE:
        told = gettext(
            "Your decisions cost you %(percent)s%%, added up:"
            " the game changed hands more than once."
        )
    elif 100 * worst_cost >= _MOST:
        told = gettext(
            "Your decisions cost you %(percent)s%%, most of all in round %(round)s: %(move)s."
        )
    else:
        told = gettext("Your decisions cost you %(percent)s%%, a little at a time.")
    return told % values


def figures(account: Content) -> list[Figure]:
    """Accuracy, what was given away, and luck; only what the judge has computed."""
    shown, found = in_points(account), []
    if account["accuracy"] is not None:
        n = account["decisions"]
        counts = ngettext("%(count)s decision", "%(count)s decisions", n) % {"count": number(n)}
        found.append(Figure(percent(account["accuracy"]), gettext("accuracy"), counts, "plain"))
    of_the_game = gettext("of the game")
    if "own" in shown:
        value = in_percent(shown["own"])
        found.append(Figure(value, gettext("given away"), of_the_game, _tone(shown["own"])))
    if "luck" in shown:
        value = in_percent(shown["luck"])
        found.append(Figure(value, gettext("luck"), of_the_game, _tone(shown["luck"])))
    return found


def _tone(points: int) -> str:
    return "good" if points >= _MUCH else "bad" if points <= -_MUCH else "plain"
