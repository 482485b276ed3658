"""What was remarkable in a game, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext, ngettext

from games.contract.game_values import Highlight
from games.peco_peco.words.stakes import stake
from games.regional_formats import number

_EVEN: Final = 50  # percent; a bluff that looked less likely is no surprise


def highlight(found: Highlight, names: Sequence[str]) -> str:
    """One sentence, with names by seat; KeyError for an unknown code."""
    if found.code == "held_bluff":
        return _held_bluff(found)
    if found.code == "best_read":
        form = gettext(
            "Best read: a bluff caught, though “I can't play” was %(percent)d%% likely to be true."
        )
        return form % found.values
    values, name = found.values, names[found.seat]
    match found.code:
        case "set":
            return gettext("Last dish: %(name)s completed the buffet with %(stake)s.") % {
                "name": name,
                "stake": stake(values["stake"]),
            }
        case "turn":
            return gettext(
                "Turn of the tide: %(name)s took the lead for good in round %(round)s."
            ) % {"name": name, "round": number(values["round"])}
        case "bluff":
            form = ngettext(
                "Best bluff: %(name)s wasn't caught.",
                "Longest bluff: %(name)s bluffed %(count)d times in a row and wasn't caught.",
                values["count"],
            )
            return form % {"name": name, "count": values["count"]}
        case "accusation":
            form = ngettext(
                "Best accusation: %(name)s caught %(other)s, who had only %(count)d playable card.",
                "Best accusation: %(name)s caught %(other)s, who had %(count)d playable cards.",
                values["cards"],
            )
            other = names[values["other"]]
            return form % {"name": name, "other": other, "count": values["cards"]}
        case "stake":
            form = ngettext(
                "Biggest gain: %(name)s won %(stake)s (+%(count)d point).",
                "Biggest gain: %(name)s won %(stake)s (+%(count)d points).",
                values["points"],
            )
            won = {"name": name, "stake": stake(values["stake"]), "count": values["points"]}
            return form % won
        case "bold_bluff":
            return gettext(
                "Boldest bluff: %(name)s wasn't caught, though for %(other)s it was only "
                "%(percent)d%% likely to be true."
            ) % {"name": name, "other": names[values["other"]], "percent": values["percent"]}
        case "keen_accusation":
            form = gettext(
                "Best read: %(name)s caught %(other)s, though “I can't play” was %(percent)d%% "
                "likely to be true."
            )
            if values["percent"] < _EVEN:
                form = gettext(
                    "Best read: %(name)s caught %(other)s. “I can't play” was %(percent)d%% likely "
                    "to be true."
                )
            return form % {
                "name": name,
                "other": names[values["other"]],
                "percent": values["percent"],
            }
    raise KeyError(found.code)


def _held_bluff(found: Highlight) -> str:
    form = ngettext(
        "Biggest bluff that held: “I can't play” with %(count)d playable card, only %(percent)d%% "
        "likely to be true.",
        "Biggest bluff that held: “I can't play” with %(count)d playable cards, only %(percent)d%% "
        "likely to be true.",
        found.values["fit"],
    )
    return form % {"count": found.values["fit"], "percent": found.values["percent"]}


def key_moment(found: Highlight, names: Sequence[str], reader: int | None) -> str:
    """The same in a few words, "you" for the player at seat `reader`; KeyError as above."""
    values, is_you = found.values, found.seat == reader
    said = {"name": names[found.seat]}
    match found.code:
        case "bluff":
            said["count"] = values["count"]
            form = ngettext(
                "%(name)s bluffed and wasn't caught",
                "%(name)s bluffed %(count)d times in a row and wasn't caught",
                values["count"],
            )
            yours = ngettext(
                "you bluffed and weren't caught",
                "you bluffed %(count)d times in a row and weren't caught",
                values["count"],
            )
        case "accusation":
            said["other"] = names[values["other"]]
            form, yours = gettext("%(name)s caught %(other)s"), gettext("you caught %(other)s")
            if values["other"] == reader:
                form = gettext("%(name)s caught you")
        case "stake":
            said["stake"] = stake(values["stake"])
            form, yours = gettext("%(name)s won %(stake)s"), gettext("you won %(stake)s")
        case "set":
            said["stake"] = stake(values["stake"])
            form = gettext("%(name)s completed the buffet with %(stake)s")
            yours = gettext("you completed the buffet with %(stake)s")
        case "turn":
            said["round"] = number(values["round"])
            form = gettext("%(name)s took the lead in round %(round)s")
            yours = gettext("you took the lead in round %(round)s")
        case _:
            raise KeyError(found.code)
    return (yours if is_you else form) % said


def highlight_title(code: str) -> str:
    """What the highlight is, in two or three words; KeyError for an unknown code."""
    return {
        "bluff": gettext("Boldest bluff"),
        "accusation": gettext("Best accusation"),
        "stake": gettext("Biggest gain"),
        "set": gettext("Last dish"),
        "turn": gettext("Turn of the tide"),
    }[code]
