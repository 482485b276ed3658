"""The moves of a replay: what was said, what its player held, and how likely that was."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.contract.game_values import ReplayMove
from games.perudo.words.dice import dice
from games.words import likelihood
from games.words import percent as chance


def move(made: ReplayMove) -> str:
    """A bid, "9 sixes", or the call."""
    if made.code == "bid":
        return dice(made.values["quantity"], made.values["face"])
    return gettext("dudo") if made.code == "dudo" else gettext("calza")


def move_chance(made: ReplayMove) -> str:
    """The probability that it was right by its player's own dice: "85%"."""
    return "" if made.chance is None else chance(made.chance)


def move_odds(made: ReplayMove, names: Sequence[str]) -> list[str]:
    """What its player held, how likely that made the bid or the call, and what lay there."""
    values = {**made.values, "name": names[made.seat]}
    held = gettext("%(name)s held %(held)d of %(quantity)d.") % values
    count = gettext("Under the cups: %(count)d.") % values
    return [held, _likely(made), f"{count} {_verdict(made)}"]


def _likely(made: ReplayMove) -> str:
    values = made.values
    needed, hidden = values["needed"], values["hidden"]
    if needed <= 0:
        return _settled(made.code, needed) or _exactly(made, hidden)
    if made.code == "calza":
        return _exactly(made, hidden)
    if made.code == "dudo":
        form = ngettext(
            "Dudo needed fewer than %(needed)d more among %(hidden)d hidden die: "
            "%(chance)s, %(likely)s.",
            "Dudo needed fewer than %(needed)d more among %(hidden)d hidden dice: "
            "%(chance)s, %(likely)s.",
            hidden,
        )
    else:
        form = ngettext(
            "They needed %(needed)d more from %(hidden)d hidden die: %(chance)s, %(likely)s.",
            "They needed %(needed)d more from %(hidden)d hidden dice: %(chance)s, %(likely)s.",
            hidden,
        )
    return form % _numbers(made)


def _settled(code: str, needed: int) -> str:
    """The sentence where the player's own dice decided it; "" where they did not."""
    if code == "bid":
        return gettext("That was enough for the bid.")
    if code == "dudo":
        return gettext("By these dice alone the bid was true.")
    return gettext("That was already more than the bid.") if needed < 0 else ""


def _exactly(made: ReplayMove, hidden: int) -> str:
    form = ngettext(
        "Calza needed exactly %(needed)d more among %(hidden)d hidden die: %(chance)s, %(likely)s.",
        "Calza needed exactly %(needed)d more among %(hidden)d hidden dice: "
        "%(chance)s, %(likely)s.",
        hidden,
    )
    return form % _numbers(made)


def _numbers(made: ReplayMove) -> dict[str, object]:
    assert made.chance is not None  # noqa: S101
    told = {"chance": chance(made.chance), "likely": likelihood(made.chance)}
    return {**made.values, **told}


def _verdict(made: ReplayMove) -> str:
    count, quantity = made.values["count"], made.values["quantity"]
    if made.code == "calza":
        return gettext("Exact!") if count == quantity else gettext("Not exact.")
    return gettext("The bid held.") if count >= quantity else gettext("The bid was too high.")
