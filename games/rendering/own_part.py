"""What a viewer's own part of a table says in every game; presenters add what is the game's own."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from games.game_values import Look
from games.models import Game, Seat
from games.play import next_seats


def of_viewer(look: Look, number: int | None, *, waiting: int) -> dict[str, Any]:
    """What a spectator is told too. `number`: the viewer's seat, None for a spectator; `waiting`:
    how many seats have not yet seen how the round ended.
    """
    game, next_table = look.game, look.next_table
    return {
        "seat": number,
        "seq": game.seq,
        "over": game.status != Game.Status.PLAYING,
        "waiting": waiting,
        "rematch_code": next_table and next_table.code,
        "next_begins_ms": next_table and next_table.begins_ms,
        "next_has_begun": bool(next_table and next_table.has_begun),
        "next_words": _next_words(look),
        "can_wish": next_seats.places(game, look.seats) > 0,
    }


def of_player(look: Look, seat: Seat, *, inside: bool) -> dict[str, Any]:
    """How it is with the player at this seat; `inside`: they still play."""
    playing = look.game.status == Game.Status.PLAYING
    return {
        "asleep": inside and seat.asleep,
        "gone": seat.gone,
        "can_rematch": not playing,
        "place": None if playing else seat.place,
        "is_guest": seat.user is not None and seat.user.is_guest,
        "left_by": _left_by(look, seat) if playing else "",
    }


def _next_words(look: Look) -> str:
    """How it is with the next table, for those who listen to the page; "" while there is none."""
    if look.next_table is None:
        return ""
    if look.next_table.has_begun:
        return gettext("The rematch has begun.")
    if look.next_table.begins_ms:
        return gettext("The rematch starts by itself in a moment.")
    return gettext("There is a rematch.")


def _left_by(look: Look, seat: Seat) -> str:
    """Who has left a player alone with bots, in a sentence; "": nobody has, or they play on."""
    others = [other for other in look.seats if other.user_id is not None and other is not seat]
    if not others or seat.gone or seat.plays_on or not all(other.gone for other in others):
        return ""
    if len(others) > 1:
        return gettext("Everyone else has left.")
    return gettext("%(name)s left the game.") % {"name": look.names[others[0].number]}
