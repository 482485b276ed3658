"""Transfer of seats to another account of the same person, after they have signed in to it."""

from __future__ import annotations

from accounts.models import User
from games.models import Game, Seat
from games.play import before_start, commands, quotas
from games.store import queries

Status = Game.Status


def live_seats(old: User) -> list[Seat]:
    """Return the person's seats at open and running tables, running games first."""
    found = Seat.objects.filter(user=old, live=True).select_related("game")
    return sorted(found, key=lambda seat: (seat.game.status != Status.PLAYING, seat.pk))


def stays(seats: list[Seat], new: User) -> tuple[set[int], set[int]]:
    """Return the ids of games whose seats cannot be transferred to `new`, in two sets.

    First: `new` has a seat there or was removed. Second: the seat would exceed the limits of `new`.
    """
    games = {seat.game_id for seat in seats}
    at_both = set(Seat.objects.filter(user=new, game__in=games).values_list("game", flat=True))
    at_both |= set(Game.objects.filter(pk__in=games, removed=new).values_list("pk", flat=True))
    free = quotas.SEATS_EACH - queries.seats_in_progress(new).count()
    hosted = Game.objects.filter(host=new, status=Status.OPEN).count()
    too_many: set[int] = set()
    for seat in seats:
        if seat.game_id in at_both:
            continue
        opens = seat.game.status == Status.OPEN and seat.game.host_id == seat.user_id
        if free <= 0 or (opens and hosted >= quotas.OPEN_TABLES_EACH):
            too_many.add(seat.game_id)
            continue
        free -= not (seat.gone and seat.game.status == Status.PLAYING)
        hosted += opens
    return at_both, too_many


def move_seat(code: str, old: User, new: User) -> bool:
    """Transfer a seat at an open or running table to `new`; a running game continues.

    Returns False if there is no such seat (any more), or `new` has one there. Seats at open quick
    tables are transferred by `matching`.
    """
    return before_start.give_seat(code, old, new) or commands.give_seat(code, old, new)
