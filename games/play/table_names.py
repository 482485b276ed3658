"""Distinct names at a table: of two people with similar names, a guest gets a number."""

from __future__ import annotations

from accounts import guest_names
from games.models import Game


def at(game: Game) -> list[str]:
    """Return the shown names of the people at this table."""
    seats = game.seat_set.filter(user__isnull=False).select_related("user")
    return [seat.name for seat in seats]


def settle(game: Game) -> None:
    """Number guests whose names resemble those of others at the table, after somebody sat down.

    Runs in the transaction of the caller. Accounts keep their names.
    """
    people = [
        each.user for each in game.seat_set.select_related("user").order_by("pk") if each.user
    ]
    taken: list[str] = []
    for person in sorted(people, key=lambda each: each.is_guest):  # accounts first
        name = person.shown_name
        if person.is_guest and any(guest_names.are_alike(name, each) for each in taken):
            others = [each.shown_name for each in people if each != person]
            name = guest_names.numbered(name, others) or name
            guest_names.rename(person, name)
        taken.append(name)
