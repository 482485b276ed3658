"""Words for the templates: bids, hands and results in sentences, dice and cups."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext

from games.perudo import words
from games.perudo.shown import OpenDie, Result, RoundView, ShownBid
from games.table import fragment_cache, second_person

register = template.Library()


@register.simple_tag
def die(face: int, *, silent: bool = False, kind: str = "", order: str | None = None) -> str:
    """One die as an image with a name (see perudo/_die.html)."""
    values = {"face": face, "silent": silent, "kind": kind, "order": order}
    return fragment_cache.rendered("perudo/_die.html", values)


@register.simple_tag
def open_die(shown: OpenDie, *, judged: bool, silent: bool = False) -> str:
    """A die of an open hand: lit if it counts for the bid, dimmed if not."""
    kind = "dim" if judged else ""
    if shown.matches:
        kind = "lit meets" if shown.meets else "lit"
    return die(shown.face, kind=kind, order=shown.order, silent=silent)


@register.simple_tag
def cup(seat: int, *, kind: str = "") -> str:
    """A player's cup (see perudo/_cup.html)."""
    return fragment_cache.rendered("perudo/_cup.html", {"seat": seat, "kind": kind})


@register.filter
def bid_words(bid: ShownBid) -> str:
    """A bid in words: "7 fours"."""
    return words.dice(bid.quantity, bid.face)


@register.filter
def hand_words(faces: Sequence[int]) -> str:
    """One's own dice as a sentence."""
    return words.hand(faces)


@register.simple_tag
def verdict(result: Result) -> str:
    """Who was right, from a round's result; the bidder reads it as told to them (see `told`)."""
    call, right, bidder = result.call, result.right, result.bidder
    form = words.verdict(call=call, bidder="{}", right=right)
    return second_person.of_seat(
        bidder.number,
        format_html(form, second_person.in_short(bidder.name)),
        words.verdict(call=call, bidder=None, right=right),
    )


@register.simple_tag
def bid_by(played: RoundView) -> str:
    """Whose bid ended a round of the story, to that player as "you"."""
    bidder = played.bidder
    to_others = gettext("bid by %(bidder)s.") % {"bidder": bidder.name}
    return second_person.of_seat(bidder.number, to_others, gettext("bid by you."))


@register.simple_tag
def called(played: RoundView) -> str:
    """Who called what in a round of the story, and what the count was."""
    caller, count = played.caller, {"count": played.count}
    forms = gettext("%(caller)s called calza: %(count)s"), gettext("You called calza: %(count)s")
    if played.call == "dudo":
        forms = gettext("%(caller)s called dudo: %(count)s"), gettext("You called dudo: %(count)s")
    to_others, to_caller = forms
    return second_person.of_seat(
        caller.number, to_others % {**count, "caller": caller.name}, to_caller % count
    )


@register.simple_tag
def became(played: RoundView) -> str:
    """Who lost a die in a round of the story, or won one back; "" for nobody."""
    if (loser := played.loser) is not None:
        to_others = gettext("%(name)s loses a die.") % {"name": loser.name}
        return second_person.of_seat(loser.number, to_others, gettext("You lose a die."))
    if (gainer := played.gainer) is not None:
        to_others = gettext("%(name)s wins back a die.") % {"name": gainer.name}
        return second_person.of_seat(gainer.number, to_others, gettext("You win back a die."))
    return ""


@register.simple_tag
def counted(result: Result) -> str:
    """What was bid and what lay under the cups, from a round's result."""
    bid = result.bid
    return words.counted(quantity=bid.quantity, face=bid.face, count=result.count)
