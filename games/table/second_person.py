"""Sentences about a seat in shared fragments: "you" for its player, the name for all others.

A shared fragment is the same for every viewer, so it contains both texts, and CSS shows the one
for the reader of the page (seats.css).
"""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.translation import gettext


def of_seat(seat: int, to_others: str, to_player: str) -> str:
    """Two sentences about a seat as HTML."""
    form = '<span data-not="{}">{}</span><span data-for="{}">{}</span>'
    return format_html(form, seat, to_others, seat, to_player)


def named(seat: int, name: str) -> str:
    """A player's name as HTML, which that player reads as "You"."""
    return of_seat(seat, name, gettext("You"))


def in_short(name: str) -> str:
    """A name within a sentence on the board; its end is cut off if it does not fit (ring.css)."""
    return format_html('<span class="in-short">{}</span>', name)
