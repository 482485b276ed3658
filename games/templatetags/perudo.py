"""Words and order for the templates: bids and dice named, matching dice numbered for the reveal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import template

from games import words
from games.screens import parts
from games.words import regional

register = template.Library()

# For whole pages only: a fragment is shared by readers of many regions.
for form in (
    regional.long_date,
    regional.short_date,
    regional.date_time,
    regional.exact_time,
    regional.number,
):
    register.filter(form.__name__, form)


@register.simple_tag
def die(face: int, *, silent: bool = False, kind: str = "", order: int | None = None) -> str:
    """One die as an image with a name (see templates/_die.html)."""
    return part("_die.html", face=face, silent=silent, kind=kind, order=order)


@register.simple_tag
def cup(seat: int, *, kind: str = "") -> str:
    """A player's cup (see templates/_cup.html)."""
    return part("_cup.html", seat=seat, kind=kind)


@register.simple_tag
def part(name: str, /, **values: Any) -> str:
    """A template that is given nothing but `values`: the same in, the same out (see `parts`)."""
    return parts.rendered(name, values)


@register.filter
def bid_words(bid: Mapping[str, int]) -> str:
    """A bid as the screens hold it, in words: "7 fours"."""
    return words.dice(bid["quantity"], bid["face"])


@register.filter
def hand_words(faces: Sequence[int]) -> str:
    """One's own dice as a sentence."""
    return words.hand(faces)


@register.filter
def times(count: int | None) -> range:
    """So many turns of a {% for %}; none for None."""
    return range(count or 0)


@register.filter
def counting_up(seats: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The seats, each die of an open hand given its `order` in the count: 1, 2, … or None."""
    order = 0
    for seat in seats:
        hand = []
        for die in seat["hand"] or ():
            order += die["matches"]
            hand.append({**die, "order": order if die["matches"] else None})
        yield {**seat, "hand": hand if seat["hand"] is not None else None}


@register.simple_tag
def verdict(result: Mapping[str, Any]) -> str:
    """Who was right, from a round's result."""
    return words.verdict(
        call=result["call"],
        caller=result["caller"]["name"],
        bidder=result["bidder"]["name"],
        right=result["right"],
    )


@register.simple_tag
def counted(result: Mapping[str, Any]) -> str:
    """What was bid and what lay under the cups, from a round's result."""
    bid = result["bid"]
    return words.counted(quantity=bid["quantity"], face=bid["face"], count=result["count"])
