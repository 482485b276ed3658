"""Inviting a friend to one's table: they are told on whatever page they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import Refused
from games.friends import presence, services
from games.inbox import kinds
from games.inbox import services as inbox
from games.models import Game, InboxEntry


@dataclass(frozen=True, slots=True)
class Invitable:
    """A friend who does not sit at a table: whether they are here, and were invited there."""

    person: User
    is_here: bool
    is_invited: bool


def open_table_of(person: User) -> Game | None:
    """The table at which this person waits for others, the latest first; nobody is invited to a
    quick one.
    """
    waiting = Game.objects.filter(status=Game.Status.OPEN, seat__user=person)
    return waiting.exclude(origin=Game.Origin.QUICK).order_by("-pk").first()


def invitable(me: User, game: Game, *, now: datetime) -> list[Invitable]:
    """The friends of a person who do not sit at this open table; who is here comes first."""
    seated = set(game.seat_set.values_list("user", flat=True))
    friends = [each for each in services.friends_of(me) if each.pk not in seated]
    keys = [each.pk for each in friends]
    here = presence.here(keys, now=now)
    told = InboxEntry.objects.filter(user__in=keys, kind=kinds.INVITED, about=game.code)
    invited = set(told.values_list("user", flat=True))
    found = [Invitable(each, each.pk in here, each.pk in invited) for each in friends]
    return sorted(found, key=lambda each: not each.is_here)


def invite(me: User, friend: User, game: Game, *, now: datetime) -> None:
    """Tell a friend of a table that waits; twice is once.

    Refused: `not_friends`, `not_open`, `quick_table`, `all_seats_taken`.
    """
    if game.status != Game.Status.OPEN:
        raise Refused("not_open")
    if game.origin == Game.Origin.QUICK:
        raise Refused("quick_table")
    if game.seat_set.count() >= game.size:
        raise Refused("all_seats_taken")
    with transaction.atomic():
        services.hold(me, friend)  # a block that comes at the same instant takes it back then
        if not services.are_friends(me, friend):
            raise Refused("not_friends")
        inbox.put(friend.pk, kinds.INVITED, game.code, now=now, values={"by": me.pk})


def withdraw_all(one: User, other: User) -> None:
    """Take back all that these two have invited each other to."""
    for by, whom in ((one, other), (other, one)):
        theirs = InboxEntry.objects.filter(user=whom, kind=kinds.INVITED, values__by=by.pk)
        for about in list(theirs.values_list("about", flat=True)):
            inbox.withdraw(kinds.INVITED, about, users=[whom.pk])
