"""Stakes in words: their dishes, the rule of the round, what winning them brings; how games end."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.peco_peco.rules.stakes import STAKES, Stake

_FOODS: Final = {"maki": _("maki"), "sushi": _("sushi"), "onigiri": _("onigiri")}
_DISHES: Final = {
    "maki": ngettext_lazy("%(count)d maki", "%(count)d maki", "count"),
    "sushi": ngettext_lazy("%(count)d sushi", "%(count)d sushi", "count"),
    "onigiri": ngettext_lazy("%(count)d onigiri", "%(count)d onigiri", "count"),
}
_RULES: Final = {
    "none": "",
    "first_feast": "",
    "inverse": pgettext_lazy("rule of a round", "Reversed"),
    "no_accuse": pgettext_lazy("rule of a round", "No accusations"),
    "slap": pgettext_lazy("rule of a round", "Anyone can accuse"),
    "severe": pgettext_lazy("rule of a round", "No mercy"),
}
_RULES_HELP: Final = {
    "none": _("No special rule this round."),
    "first_feast": _("No special rule this round."),
    "inverse": _("Elephant beats mouse, mouse beats cat, cat beats elephant."),
    "no_accuse": _("Nobody can be accused this round, so you can bluff freely."),
    "slap": _(
        "Anyone with cards can accuse a player who says they can't play. The fastest one counts."
    ),
    "severe": _("Caught bluffing, or wrong to accuse? You lose your hand and are out."),
}
_EXTRA: Final = {
    1: _("The winner gets one more card next round."),
    -1: _("The winner gets one card fewer next round."),
}
_DIRECTIONS: Final = {
    1: pgettext_lazy("direction of play", "clockwise"),
    -1: pgettext_lazy("direction of play", "anticlockwise"),
}
_ENDINGS: Final = {
    "set": _("One dish of each kind: the game is over."),
    "pile": _("That was the last stake: the game is over."),
    "others_left": _("Everyone else left: the game is over."),
}


def food(kind: str) -> str:
    """A kind of dish: `maki`, `sushi` or `onigiri`; KeyError for another."""
    return str(_FOODS[kind])


def dishes(count: int, kind: str) -> str:
    """So many dishes of a kind: "2 maki"; KeyError for an unknown kind."""
    return _DISHES[kind] % {"count": count}


def stake(code: str) -> str:
    """The dishes of a stake: "3 sushi"; KeyError for an unknown stake."""
    return dishes(STAKES[code].dishes, STAKES[code].food)


def rule(code: str) -> str:
    """The short name of a round's rule, "" where it has none; KeyError for an unknown one."""
    return str(_RULES[code])


def rule_help(code: str) -> str:
    """What the rule of a round changes, in a sentence or two; KeyError for an unknown one."""
    return str(_RULES_HELP[code])


def more_cards(by: int) -> str:
    """What a stake does to the winner's next deal: "+1 card"; "" for nothing (Q35)."""
    return {0: "", 1: gettext("+1 card"), -1: gettext("−1 card")}[by]


def tilted() -> str:
    """What becomes of a stake that is laid tilted (Q36)."""
    return gettext("Win the next round too, or it's turned face down and worth only 1 point.")


def prizes(won: Stake) -> list[str]:
    """What winning this stake brings besides the dishes, one sentence each (Q35, Q36)."""
    sentences = [str(_EXTRA[won.extra])] if won.extra else []
    return [*sentences, tilted()] if won.tilt else sentences


def direction(way: int) -> str:
    """The direction of play: 1 is clockwise, -1 the other; KeyError for another number."""
    return str(_DIRECTIONS[way])


def ending(reason: str) -> str:
    """Why the game is over, in one sentence; KeyError for an unknown reason."""
    return str(_ENDINGS[reason])
