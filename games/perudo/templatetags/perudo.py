"""Words for the templates: bids, hands and results in sentences, dice and cups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html

from games.perudo import words
from games.rendering import fragment_cache, told

register = template.Library()


@register.simple_tag
def die(face: int, *, silent: bool = False, kind: str = "", order: str | None = None) -> str:
    """One die as an image with a name (see perudo/_die.html)."""
    values = {"face": face, "silent": silent, "kind": kind, "order": order}
    return fragment_cache.rendered("perudo/_die.html", values)


@register.simple_tag
def open_die(shown: Mapping[str, Any], *, judged: bool, silent: bool = False) -> str:
    """A die of an open hand (`reveal.open_hand`): lit if it counts for the bid, dimmed if not."""
    order = shown.get("order")  # none in a replay
    if shown.get("matches"):
        kind = "lit meets" if shown.get("meets") else "lit"
        return die(shown["face"], kind=kind, order=order, silent=silent)
    return die(shown["face"], kind="dim" if judged else "", order=order, silent=silent)


@register.simple_tag
def cup(seat: int, *, kind: str = "") -> str:
    """A player's cup (see perudo/_cup.html)."""
    return fragment_cache.rendered("perudo/_cup.html", {"seat": seat, "kind": kind})


@register.filter
def bid_words(bid: Mapping[str, int]) -> str:
    """A bid as the screens hold it, in words: "7 fours"."""
    return words.dice(bid["quantity"], bid["face"])


@register.filter
def hand_words(faces: Sequence[int]) -> str:
    """One's own dice as a sentence."""
    return words.hand(faces)


@register.simple_tag
def verdict(result: Mapping[str, Any]) -> str:
    """Who was right, from a round's result; the bidder reads it as told to them (see `told`)."""
    call, right, bidder = result["call"], result["right"], result["bidder"]
    form = words.verdict(call=call, bidder="{}", right=right)
    return told.of_seat(
        bidder["number"],
        format_html(form, told.in_short(bidder["name"])),
        words.verdict(call=call, bidder=None, right=right),
    )


@register.simple_tag
def counted(result: Mapping[str, Any]) -> str:
    """What was bid and what lay under the cups, from a round's result."""
    bid = result["bid"]
    return words.counted(quantity=bid["quantity"], face=bid["face"], count=result["count"])
