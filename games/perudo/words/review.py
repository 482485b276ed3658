"""A reviewed decision of Perudo in words: its moves, their values in dice, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext, ngettext, pgettext

from games.perudo.words.dice import dice
from games.perudo.words.review_reasons import (
    CLEARLY,
    LIKELY,
    after_the_bids,
    kind_of,
    odds_of,
    reason,
    result,
)
from games.perudo.words.review_reasons import NO_CALL as _NO_CALL
from games.regional_formats import decimal, number
from games.words import percent

__all__ = [
    "after",
    "card",
    "cost",
    "judged_as",
    "move",
    "odds",
    "reason",
    "result",
    "unit",
    "value",
    "why",
]

# Moves that differ by less are worth the same.
_SEVERAL: Final = 2
_SAME: Final = 0.005
_ALMOST: Final = 0.0001
_ONE: Final = 0.005  # what is less is said to be less than one percent
# From here on one decimal place says enough.
_MUCH: Final = 0.1


def unit() -> str:
    return gettext("Dice won or lost, on average")


def after() -> str:
    return gettext("after the bids")


def judged_as(game: Mapping[str, Any]) -> str:
    """By which habits the bids of people were read; "" where none sat beside another."""
    if game.get("people", 0) < _SEVERAL:
        return ""
    habits = game["habits"]
    if habits is None:
        return gettext("Bids of people are judged as bots bid.")
    told = ngettext(
        "Bids of people are judged as people here bid, by %(count)s bid.",
        "Bids of people are judged as people here bid, by %(count)s bids.",
        habits["decisions"],
    )
    return told % {"count": number(habits["decisions"])}


def move(name: str) -> str:
    """ "3 fives", "dudo", "calza"; not to call calza out of turn is "pass"."""
    if name == _NO_CALL:
        return pgettext("not to call calza", "pass")
    said = json.loads(name)
    if said["kind"] == "bid":
        return dice(said["quantity"], said["face"])
    return gettext("dudo") if said["kind"] == "dudo" else gettext("calza")


def value(value: float) -> str:
    """Dice that the move wins on average: "+0.12", "−0.35"."""
    told = decimal(value, 2)
    return f"+{told}" if round(value, 2) > 0 else told


def cost(regret: float) -> str:
    """ "0.3 dice"; what is less than an inaccuracy has two places."""
    count = decimal(regret, 1 if regret >= _MUCH else 2)
    return gettext("%(count)s dice") % {"count": count}


def why(decision: Mapping[str, object], name: str | None) -> str:
    """The dice that the player could not see, how many the move needed, and what was worth more."""
    return f"{odds(decision, name)} {_better(decision)}".strip()


def odds(decision: Mapping[str, Any], name: str | None) -> str:
    """How likely the move was right by the dice that its player could see, and after the bids.

    To others, or as "you" if `name` is None.
    """
    return f"{_by_the_dice(decision, name)} {_after_the_bids(decision)}".strip()


def _by_the_dice(decision: Mapping[str, Any], name: str | None) -> str:
    """How likely the move was right, and how many of the dice that nobody saw it needed."""
    played = decision["played"]
    kind, likely = kind_of(played), odds_of(decision, played)
    known = decision["game"].get("played" if kind == "bid" else "last")
    if known is None or likely is None:
        return ""
    hidden, needed = known
    if needed > hidden:
        return _impossible(name)
    # Odds are rounded: what the dice don't settle is never certain.
    open_odds = min(max(likely, _ALMOST), 1 - _ALMOST)
    values = {"name": name, "hidden": hidden, "needed": needed, "chance": percent(open_odds)}
    if kind == "calza" and likely == 0:
        return _too_many(name)
    if kind == "calza":
        return _calza(values)
    if needed == 0:
        return _settled(name)
    return _bid(values) if kind == "bid" else _dudo(values)


def _after_the_bids(decision: Mapping[str, Any]) -> str:
    """How likely it was by the bids too, where that is clearly different, or more likely than not
    where the dice alone say the opposite.
    """
    played = decision["played"]
    likely, after = odds_of(decision, played), after_the_bids(decision, played)
    if likely is None or after is None:
        return ""
    if abs(after - likely) < CLEARLY and (after >= LIKELY) == (likely >= LIKELY):
        return ""
    if after < _ONE:
        return gettext("But after those bids, less than 1%.")
    if after > 1 - _ONE:
        return gettext("After those bids, more than 99%.")
    if after < likely:
        return gettext("But after those bids, only %(after)s.") % {"after": percent(after)}
    return gettext("After those bids, %(after)s.") % {"after": percent(after)}


def _settled(name: str | None) -> str:
    if name is None:
        return gettext("Your own dice alone made the bid true.")
    return gettext("%(name)s's own dice alone made the bid true.") % {"name": name}


def _impossible(name: str | None) -> str:
    if name is None:
        return gettext("With your own dice, the bid could not be true.")
    return gettext("With %(name)s's own dice, the bid could not be true.") % {"name": name}


def _too_many(name: str | None) -> str:
    if name is None:
        return gettext("Your own dice alone were more than the bid.")
    return gettext("%(name)s's own dice alone were more than the bid.") % {"name": name}


def _bid(values: Mapping[str, Any]) -> str:
    if values["name"] is None:
        form = ngettext(
            "Your bid needed the one die you couldn't see: it was %(chance)s likely to be true.",
            "Your bid needed %(needed)d of the %(hidden)d dice you couldn't see: it was %(chance)s "
            "likely to be true.",
            values["hidden"],
        )
    else:
        form = ngettext(
            "The bid needed the one die %(name)s couldn't see: it was %(chance)s likely to be "
            "true.",
            "The bid needed %(needed)d of the %(hidden)d dice %(name)s couldn't see: it was "
            "%(chance)s likely to be true.",
            values["hidden"],
        )
    return form % values


def _dudo(values: Mapping[str, Any]) -> str:
    if values["name"] is None:
        form = ngettext(
            "The bid needed the one die you couldn't see: dudo was %(chance)s likely to be right.",
            "The bid needed %(needed)d of the %(hidden)d dice you couldn't see: dudo was "
            "%(chance)s likely to be right.",
            values["hidden"],
        )
    else:
        form = ngettext(
            "The bid needed the one die %(name)s couldn't see: dudo was %(chance)s likely to be "
            "right.",
            "The bid needed %(needed)d of the %(hidden)d dice %(name)s couldn't see: dudo was "
            "%(chance)s likely to be right.",
            values["hidden"],
        )
    return form % values


def _calza(values: Mapping[str, Any]) -> str:
    if values["needed"] == 0:
        form = gettext(
            "Calza needed none of the other dice to count: it was %(chance)s likely to be right."
        )
    elif values["name"] is None:
        form = ngettext(
            "Calza needed the one die you couldn't see: it was %(chance)s likely to be right.",
            "Calza needed exactly %(needed)d of the %(hidden)d dice you couldn't see: it was "
            "%(chance)s likely to be right.",
            values["hidden"],
        )
    else:
        form = ngettext(
            "Calza needed the one die %(name)s couldn't see: it was %(chance)s likely to be right.",
            "Calza needed exactly %(needed)d of the %(hidden)d dice %(name)s couldn't see: it was "
            "%(chance)s likely to be right.",
            values["hidden"],
        )
    return form % values


def _better(decision: Mapping[str, Any]) -> str:
    if decision["forced"]:
        return gettext("There was no other move.")
    if decision["regret"] < _SAME:
        return gettext("Nothing was worth more.")
    best, more = decision["best"], {"cost": cost(decision["regret"])}
    if best == _NO_CALL:
        return gettext("Not calling calza was worth %(cost)s more.") % more
    kind = kind_of(best)
    if kind == "dudo":
        return gettext("Dudo was worth %(cost)s more.") % more
    if kind == "calza":
        return gettext("Calza was worth %(cost)s more.") % more
    return gettext("Bidding %(bid)s was worth %(cost)s more.") % {"bid": move(best), **more}


def card(luck: str | None, *, played_well: bool) -> str:
    """What a player says of a game whose luck was this: "unlucky", "even", "lucky" or unknown."""
    match luck:
        case None:
            return gettext("I played well.") if played_well else gettext("The errors were mine.")
        case "unlucky":
            if played_well:
                return gettext("The dice owed me one.")
            return gettext("The dice were against me, and so was my play.")
        case "lucky":
            if played_well:
                return gettext("Good dice, and I made the most of them.")
            return gettext("The dice made up for my errors.")
    if played_well:
        return gettext("The dice were fair, and I played well.")
    return gettext("The dice were fair. The errors were mine.")
