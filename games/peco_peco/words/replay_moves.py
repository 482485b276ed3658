"""The moves of a replay: what was done, and what its player had not seen of the cards needed."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext, pgettext

from games.contract.game_values import ReplayMove
from games.peco_peco.words.cards import animal, card
from games.words import likelihood, percent


def move(made: ReplayMove) -> str:
    """A card, or what was said instead of one."""
    if made.code == "play":
        return card(made.values["card"])
    if made.code == "pass":
        return pgettext("move of a replay", "can't play")
    return pgettext("move of a replay", "accuses")


def move_chance(made: ReplayMove) -> str:
    """How many of the cards that were needed its player had not seen; "" for a card."""
    if made.code == "play":
        return ""
    return gettext("%(unseen)d of %(all)d fitting cards not seen") % made.values


def move_odds(made: ReplayMove, names: Sequence[str]) -> list[str]:
    """What the declarer held, what the player of the move had not seen, and what was true."""
    if made.code == "play":
        return []
    values = dict(made.values)
    values |= {"name": names[made.seat], "other": names[values["declarer"]]}
    values |= {"animal": animal(values["animal"])}
    unseen = gettext(
        "Needed: %(animal)s or bomb, %(all)d cards in all. "
        "%(name)s hadn't seen %(unseen)d of them yet."
    )
    return [_held(made, values), unseen % values, _truth(made)]


def _held(made: ReplayMove, values: dict[str, object]) -> str:
    if made.chance is None:
        form = ngettext(
            "%(other)s held %(held)d card.", "%(other)s held %(held)d cards.", made.values["held"]
        )
        return form % values
    form = ngettext(
        "%(other)s held %(held)d card: by that number alone, "
        "the chance of a bluff was %(chance)s (%(likely)s).",
        "%(other)s held %(held)d cards: by that number alone, "
        "the chance of a bluff was %(chance)s (%(likely)s).",
        made.values["held"],
    )
    return form % {**values, "chance": percent(made.chance), "likely": likelihood(made.chance)}


def _truth(made: ReplayMove) -> str:
    fits = made.values["fits"]
    if not fits:
        return gettext("It was true: no card could be played.")
    form = ngettext(
        "It was a bluff: %(count)d card could be played.",
        "It was a bluff: %(count)d cards could be played.",
        fits,
    )
    return form % {"count": fits}
