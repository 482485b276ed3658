"""Invitations of friends to a table, shown in their inbox on every page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.errors import Refused
from games.models import Game, InboxEntry
from games.social.friends import presence, ties
from games.social.inbox import entries as inbox
from games.social.inbox import kinds


@dataclass(frozen=True, slots=True)
class Invitable:
    """A friend without a seat at a table: whether they are online and were invited there."""

    person: User
    is_here: bool
    is_invited: bool


def open_table_of(person: User) -> Game | None:
    """The latest open table at which this person has a seat, without quick tables; None if none."""
    waiting = Game.objects.filter(status=Game.Status.OPEN, seat__user=person)
    return waiting.exclude(origin=Game.Origin.QUICK).order_by("-pk").first()


def invitable(me: User, game: Game, *, now: datetime) -> list[Invitable]:
    """The friends of a person who have no seat at this open table, those online first."""
    seated = set(game.seat_set.values_list("user", flat=True))
    friends = [each for each in ties.friends_of(me) if each.pk not in seated]
    keys = [each.pk for each in friends]
    here = presence.here(keys, to=me, now=now)
    told = InboxEntry.objects.filter(user__in=keys, kind=kinds.INVITED, about=game.code)
    invited = set(told.values_list("user", flat=True))
    found = [Invitable(each, each.pk in here, each.pk in invited) for each in friends]
    return sorted(found, key=lambda each: not each.is_here)


def invite(me: User, friend: User, game: Game, *, now: datetime) -> None:
    """Invite a friend to an open table; idempotent.

    Refused: `not_friends`, `not_open`, `quick_table`, `all_seats_taken`.
    """
    if game.status != Game.Status.OPEN:
        raise Refused("not_open")
    if game.origin == Game.Origin.QUICK:
        raise Refused("quick_table")
    if game.seat_set.count() >= game.size:
        raise Refused("all_seats_taken")
    with transaction.atomic():
        ties.hold(me, friend)  # a concurrent block waits, and withdraws the invitation
        if not ties.are_friends(me, friend):
            raise Refused("not_friends")
        if ties.blocks(friend, me):  # the friend sees no invitation, so only the latest is kept
            unseen = InboxEntry.objects.filter(user=friend, kind=kinds.INVITED, values__by=me.pk)
            unseen.exclude(about=game.code).delete()
        inbox.put(friend.pk, kinds.INVITED, game.code, now=now, values={"by": me.pk})


def unblocked(me: User, other: User) -> None:
    """End the friendship that a blocked person still seems to have, before the block is lifted."""
    if ties.blocks(me, other):
        ties.part(me, other)
        withdraw_all(other, me)


def withdraw_all(one: User, other: User) -> None:
    """Withdraw all invitations of two people to each other."""
    for by, whom in ((one, other), (other, one)):
        theirs = InboxEntry.objects.filter(user=whom, kind=kinds.INVITED, values__by=by.pk)
        for about in list(theirs.values_list("about", flat=True)):
            inbox.withdraw(kinds.INVITED, about, users=[whom.pk])
