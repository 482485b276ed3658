"""The list of friends whom a player at an open table can invite."""

from __future__ import annotations

from datetime import datetime

from accounts.requests import AnyUser
from games.models import Game
from games.social.friends import invitations, ties
from games.store import queries


def context(reader: AnyUser, game: Game, *, now: datetime) -> dict[str, object]:
    """The values of `friends/_to_invite.html`; empty if the reader cannot invite to this table."""
    is_waiting = game.status == Game.Status.OPEN and game.origin != Game.Origin.QUICK
    if not is_waiting or not reader.is_authenticated or reader.is_guest:
        return {}
    if queries.seat_of(game, reader) is None:
        return {}
    found = invitations.invitable(reader, game, now=now)
    return {
        "invites": True,
        "invitable": found,
        "is_anybody_here": any(each.is_here for each in found),
        "is_full": game.seat_set.count() >= game.size,
        "has_friends": bool(found) or ties.friends_of(reader).exists(),
    }
