"""What was remarkable in a game, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.contract.game_values import Highlight
from games.perudo.words.dice import dice
from games.regional_formats import number
from games.words import percent as chance


def highlight(found: Highlight, names: Sequence[str]) -> str:
    """One sentence, with names by seat; KeyError for an unknown code."""
    if found.code == "held_bluff":
        return _held_bluff(found)
    if found.code == "best_read":
        return _best_read(found)
    if found.code == "turn":
        said = {"name": names[found.seat], "round": number(found.values["round"])}
        return (
            gettext("Turn of the tide: %(name)s took the lead for good in round %(round)s.") % said
        )
    form = {
        "bid": gettext("Boldest bid that held: %(name)s bid %(bid)s, %(chance)s likely."),
        "dudo": gettext("Best dudo: %(name)s doubted %(bid)s, a bid that was %(chance)s likely."),
        "calza": gettext(
            "Closest calza: %(name)s called %(bid)s exactly right, %(chance)s likely."
        ),
        "near_calza": gettext("Closest calza: %(name)s was one die off with %(bid)s."),
    }[found.code]
    values = found.values
    return form % {
        "name": names[found.seat],
        "bid": dice(values["quantity"], values["face"]),
        "chance": chance(values["chance"]),
    }


def _held_bluff(found: Highlight) -> str:
    short = found.values["short"]
    form = ngettext(
        "Biggest bluff that held: %(bid)s, %(chance)s likely and one die short.",
        "Biggest bluff that held: %(bid)s, %(chance)s likely and %(short)s dice short.",
        short,
    )
    bid = dice(found.values["quantity"], found.values["face"])
    return form % {"bid": bid, "chance": chance(found.values["chance"]), "short": number(short)}


def _best_read(found: Highlight) -> str:
    bid = dice(found.values["quantity"], found.values["face"])
    form = gettext("Best read: dudo on %(bid)s, a bid that was %(chance)s likely.")
    return form % {"bid": bid, "chance": chance(found.values["chance"])}


def key_moment(found: Highlight, names: Sequence[str], reader: int | None) -> str:
    """The same in a few words, "you" for the player at seat `reader`; KeyError as above."""
    values = found.values
    if found.code == "turn":
        form = gettext("%(name)s took the lead in round %(round)s")
        if found.seat == reader:
            form = gettext("you took the lead in round %(round)s")
        return form % {"name": names[found.seat], "round": number(values["round"])}
    bid = dice(values["quantity"], values["face"])
    if found.seat == reader:
        yours = {
            "bid": gettext("you bid %(bid)s"),
            "dudo": gettext("you doubted %(bid)s"),
            "calza": gettext("you called calza on %(bid)s and were right"),
            "near_calza": gettext("you called calza on %(bid)s and were one die off"),
        }[found.code]
        return yours % {"bid": bid}
    form = {
        "bid": gettext("%(name)s bid %(bid)s"),
        "dudo": gettext("%(name)s doubted %(bid)s"),
        "calza": gettext("%(name)s called calza on %(bid)s and was right"),
        "near_calza": gettext("%(name)s called calza on %(bid)s and was one die off"),
    }[found.code]
    return form % {"name": names[found.seat], "bid": bid}


def highlight_title(code: str) -> str:
    """What the highlight is, in two or three words; KeyError for an unknown code."""
    return {
        "bid": gettext("Boldest bid"),
        "dudo": gettext("Best dudo"),
        "calza": gettext("Closest calza"),
        "near_calza": gettext("Closest calza"),
        "turn": gettext("Turn of the tide"),
    }[code]
