"""What was remarkable in a game, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import ngettext

from games.game_values import Highlight
from games.peco_peco.words.stakes import stake


def highlight(found: Highlight, names: Sequence[str]) -> str:
    """One sentence, with names by seat; KeyError for an unknown code."""
    values, name = found.values, names[found.seat]
    match found.code:
        case "bluff":
            form = ngettext(
                "Best bluff: %(name)s wasn't caught.",
                "Longest bluff: %(name)s bluffed %(count)d times in a row and wasn't caught.",
                values["count"],
            )
            return form % {"name": name, "count": values["count"]}
        case "accusation":
            form = ngettext(
                "Best accusation: %(name)s caught %(other)s, who had only %(count)d card to play.",
                "Best accusation: %(name)s caught %(other)s, who had %(count)d cards to play.",
                values["cards"],
            )
            other = names[values["other"]]
            return form % {"name": name, "other": other, "count": values["cards"]}
        case "stake":
            form = ngettext(
                "Best stake: %(name)s won %(stake)s for %(count)d more point.",
                "Best stake: %(name)s won %(stake)s for %(count)d more points.",
                values["points"],
            )
            won = {"name": name, "stake": stake(values["stake"]), "count": values["points"]}
            return form % won
    raise KeyError(found.code)
