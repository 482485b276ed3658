"""What a viewer's own part of a table says in every game; presenters add what is the game's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games.core.contract import Fact
from games.friends import met
from games.game_values import Look
from games.models import Game, Seat
from games.play import next_seats
from games.store import event_log
from games.trying import services as trying

PLAYED = 3  # moves of a stand-in that its person is told


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


def of_player(
    look: Look, seat: Seat, *, inside: bool, tell: Callable[[Fact], str | None]
) -> dict[str, Any]:
    """How it is with the player at this seat; `inside`: they still play; `tell`: a fact in a
    sentence to them, None if it is not about them. `played`: the last moves that were made for
    them while they are away, the oldest first; `strangers`: see there.
    """
    playing = look.game.status == Game.Status.PLAYING
    asleep = inside and seat.asleep
    return {
        "asleep": asleep,
        "played": _played_for(look, tell) if asleep else [],
        "gone": seat.gone,
        "can_rematch": not playing,
        "place": None if playing else seat.place,
        "stood_in": not playing and seat.stood_in,
        "is_guest": seat.user is not None and seat.user.is_guest,
        "left_by": _left_by(look, seat) if playing else "",
        "again": _tried_again(look, seat, out=not inside),
        "strangers": [] if playing else strangers(look.game, look.seats, seat.user),
    }


def _tried_again(look: Look, seat: Seat, *, out: bool) -> dict[str, str] | None:
    """For whom a moment that they tried again is over: the addresses at which to try it once more,
    and of its review; None for everybody else.
    """
    game = look.game
    if not out or seat.user_id is None or game.from_game_id is None:
        return None
    assert game.from_game is not None  # noqa: S101
    assert game.from_moment is not None  # noqa: S101
    source, moment = game.from_game, game.from_moment
    review = reverse("games:review", args=[source.code])
    return {"try_url": trying.address(source, moment), "review_url": f"{review}?at={moment}"}


def strangers(game: Game, seats: Sequence[Seat], person: User | None) -> list[dict[str, Any]]:
    """Those at the table of a finished game whom one of its players could add as friends."""
    if person is None or game.status != Game.Status.FINISHED:
        return []
    others = [seat for seat in seats if seat.user_id not in (None, person.pk)]
    keys = met.to_add(person, [seat.user for seat in others if seat.user is not None])
    return [
        {"name": seat.name, "avatar": seat.avatar, "username": seat.user.get_username()}
        for seat in others
        if seat.user is not None and seat.user_id in keys
    ]


def _played_for(look: Look, tell: Callable[[Fact], str | None]) -> list[str]:
    made = event_log.automatic_facts(look.game, most=PLAYED * len(look.seats))
    return [*filter(None, map(tell, made))][-PLAYED:]


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
