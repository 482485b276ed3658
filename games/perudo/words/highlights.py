"""What was remarkable in a game, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from games.game_values import Highlight
from games.perudo.words.dice import dice
from games.words import percent as chance


def highlight(found: Highlight, names: Sequence[str]) -> str:
    """One sentence, with names by seat; KeyError for an unknown code."""
    form = {
        "bid": gettext("Boldest bid that held: %(name)s bid %(bid)s at %(chance)s."),
        "dudo": gettext("Best dudo: %(name)s doubted %(bid)s, a bid with a %(chance)s chance."),
        "calza": gettext("Closest calza: %(name)s hit %(bid)s exactly at %(chance)s."),
        "near_calza": gettext("Closest calza: %(name)s was one die off with %(bid)s."),
    }[found.code]
    values = found.values
    return form % {
        "name": names[found.seat],
        "bid": dice(values["quantity"], values["face"]),
        "chance": chance(values["chance"]),
    }
