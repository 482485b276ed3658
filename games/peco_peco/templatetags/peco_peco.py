"""Drawn cards for the templates of Peco Peco."""

from __future__ import annotations

from typing import Final

from django import template

from games.peco_peco import words
from games.peco_peco.rules import cards
from games.peco_peco.rules.cards import Card
from games.peco_peco.rules.stakes import STAKES
from games.table import fragment_cache

register = template.Library()

# The names of the symbols in cards.svg; those of dishes, rules and directions are their own.
ANIMALS: Final = {"E": "elephant", "C": "cat", "M": "mouse"}
ICONS: Final = {
    "": "",
    cards.REVERSE: "reverse",
    cards.DRAW: "draw",
    cards.STEAL: "steal",
    cards.BOMB: "bomb",
}
DIRECTIONS: Final = {1: "clockwise", -1: "anticlockwise"}


@register.simple_tag
def animal_card(code: Card | None, *, silent: bool = False, kind: str = "") -> str:
    """The card of this code, such as "Er"; for None a back, which has no name."""
    values = {
        "animal": ANIMALS[code[0]] if code else None,
        "icon": ICONS[code[1:]] if code else "",
        "label": words.card(code) if code else "",
        "silent": silent or code is None,
        "kind": kind,
    }
    return fragment_cache.rendered("peco_peco/_card.html", values)


@register.simple_tag
def stake_card(stake_id: str, *, silent: bool = False, kind: str = "") -> str:
    """The stake of this id, such as "F05" (see _stake.html)."""
    values = {
        "stake": drawn(stake_id),
        "label": words.stake(stake_id),
        "silent": silent,
        "kind": kind,
    }
    return fragment_cache.rendered("peco_peco/_stake.html", values)


@register.simple_tag
def sign(name: str, *, kind: str = "") -> str:
    """A small drawing beside words (see _sign.html)."""
    return fragment_cache.rendered("peco_peco/_sign.html", {"name": name, "kind": kind})


@register.filter
def animal_name(code: Card) -> str:
    """The animal of a card in words, such as "mouse"."""
    return words.animal(cards.animal(code))


@register.filter
def dish_name(kind: str) -> str:
    """A kind of dish in words, such as "maki"; KeyError for another."""
    return words.food(kind)


def drawn(stake_id: str) -> dict[str, object]:
    """What the drawing of a stake shows, as plain values."""
    stake = STAKES[stake_id]
    return {
        "food": stake.food,
        "dishes": stake.dishes,
        "deal": stake.deal,
        "direction": DIRECTIONS[stake.direction],
        "rule": stake.rule,
        "extra": stake.extra,
        "tilt": stake.tilt,
    }
