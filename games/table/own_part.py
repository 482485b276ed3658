"""A viewer's own part of a table, for all games; presenters add what their game shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games.contract.game_values import Look
from games.contract.shown import After, Again, Next, Own, Stranger
from games.core.contract import Fact
from games.models import Game, Seat
from games.play import next_seats, retry
from games.social.friends import recent_players
from games.store import event_log
from games.table import rating_in_short, review_in_short

PLAYED = 3  # the number of a stand-in's moves that its person is shown


OwnT = TypeVar("OwnT", bound=Own)


def of_viewer(own: OwnT, look: Look, *, waiting: int) -> OwnT:
    """`own` with what players and spectators are shown; for `waiting` see `Own`."""
    game, table = look.game, look.next_table
    return replace(
        own,
        seq=game.seq,
        over=game.status != Game.Status.PLAYING,
        waiting=waiting,
        next=Next(code=table.code, begins_ms=table.begins_ms, has_begun=table.has_begun)
        if table
        else Next(),
        next_words=_next_words(look),
        can_wish=next_seats.places(game, look.seats) > 0,
    )


def of_player(
    own: OwnT, look: Look, seat: Seat, *, inside: bool, tell: Callable[[Fact], str | None]
) -> OwnT:
    """`own` with what the player at this seat is shown.

    `inside`: they still play. `tell` puts a fact into a sentence to them, or returns None if it
    isn't about them.
    """
    playing = look.game.status == Game.Status.PLAYING
    asleep = inside and seat.asleep
    after = After(
        place=None if playing else seat.place,
        seats=len(look.seats),
        is_duel=len(look.seats) == 2,
        stood_in=not playing and seat.stood_in,
        can_rematch=not playing,
        is_guest=seat.user is not None and seat.user.is_guest,
        strangers=() if playing else strangers(look.game, look.seats, seat.user),
        review="" if playing else review_in_short.of_seat(look.game, seat),
        rating=None if playing else rating_in_short.of_seat(look, seat),
    )
    return replace(
        own,
        asleep=asleep,
        played=_played_for(look, tell) if asleep else (),
        gone=seat.gone,
        left_by=_left_by(look, seat) if playing else "",
        again=None if inside else _tried_again(look, seat),
        after=after,
    )


def _tried_again(look: Look, seat: Seat) -> Again | None:
    """To try the moment once more, and its review; None for a game that tries none again."""
    game = look.game
    if seat.user_id is None or game.from_game_id is None:
        return None
    assert game.from_game is not None  # noqa: S101
    assert game.from_moment is not None  # noqa: S101
    source, moment = game.from_game, game.from_moment
    review = reverse("games:review", args=[source.code])
    return Again(try_url=retry.address(source, moment), review_url=f"{review}?at={moment}")


def strangers(game: Game, seats: Sequence[Seat], person: User | None) -> list[Stranger]:
    """The people at the table of a finished game whom this player could add as friends."""
    if person is None or game.status != Game.Status.FINISHED:
        return []
    others = [seat for seat in seats if seat.user_id not in (None, person.pk)]
    keys = recent_players.to_add(person, [seat.user for seat in others if seat.user is not None])
    return [
        Stranger(name=seat.name, avatar=seat.avatar, username=seat.user.get_username())
        for seat in others
        if seat.user is not None and seat.user_id in keys
    ]


def _played_for(look: Look, tell: Callable[[Fact], str | None]) -> list[str]:
    made = event_log.automatic_facts(look.game, most=PLAYED * len(look.seats))
    return [*filter(None, map(tell, made))][-PLAYED:]


def _next_words(look: Look) -> str:
    if look.next_table is None:
        return ""
    if look.next_table.has_begun:
        return gettext("The rematch has begun.")
    if look.next_table.begins_ms:
        return gettext("The rematch starts by itself in a moment.")
    return gettext("There is a rematch.")


def _left_by(look: Look, seat: Seat) -> str:
    """The sentence for a player whom all other people have left; "" if not, or if they play on."""
    others = [other for other in look.seats if other.user_id is not None and other is not seat]
    if not others or seat.gone or seat.plays_on or not all(other.gone for other in others):
        return ""
    if len(others) > 1:
        return gettext("Everyone else has left.")
    return gettext("%(name)s left the game.") % {"name": look.names[others[0].number]}
