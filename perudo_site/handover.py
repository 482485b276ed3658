"""Transfer of a guest's seats, games, answers and other data to the account they sign in to.

Rows that refer to the guest move, in all models (`accounts.handover.relations`), except those in
`STAYS`. Some need more than a new foreign key: seats of running games, tallies, an inbox. If the
account already has such a row, it keeps its own, and the guest's is deleted with the guest.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from accounts import handover
from accounts.handover import Findings
from accounts.models import User
from games.lobby.matching import searches as matching
from games.models import Game, Result, Seat, Tally
from games.play import announce, before_start, finish, new_owner, table_names, throws
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from perudo_site import deletion

# Which rows stay with the guest, and why.
STAYS: Final = {
    "accounts.SignInCode.user": "guests have no address, and no code signs them in",
    "accounts.Letter.user": "guests have no address",
    "accounts.User_groups.user": "guests are no staff",
    "accounts.User_user_permissions.user": "guests are no staff",
    "account.EmailAddress.user": "guests have no address",
    "mfa.Authenticator.user": "guests have no password for which it would be the second factor",
    "admin.LogEntry.user": "guests are no staff",
    "games.PushSubscription.user": "it belongs to the session that ends; the page renews it",
    "games.Presence.user": "of the guest, who was here",
    "games.Inbox.user": "it counts the entries of its person, which are added to the account's",
    "games.FriendLink.owner": "guests have no friends",
    "games.Rating.user": "guests are not rated",
}
# Foreign keys whose rows `take_along` moves in other ways.
_BY_HAND: Final = {"games.Tally.user", "games.InboxEntry.user", "games.Result.user"}


def look(guest: User, account: User) -> Findings:
    seats = new_owner.live_seats(guest)
    at_both, too_many = new_owner.stays(seats, account)
    anything = bool(seats) or any(
        handover.rows(field, guest).exists()
        for field in handover.relations()
        if handover.label(field) not in STAYS
    )
    return Findings(anything, seated=len(at_both), too_many=len(too_many))


def take_along(guest: User, account: User, *, now: datetime) -> None:
    """Move the guest's data, and end the guest; after a failure, a second call continues."""
    matching.hand_over(guest, account)
    seats = new_owner.live_seats(guest)
    at_both, too_many = new_owner.stays(seats, account)
    for seat in seats:
        is_in_line = seat.game.origin == Game.Origin.QUICK and seat.game.status == Game.Status.OPEN
        if seat.game_id not in at_both | too_many and not is_in_line:
            new_owner.move_seat(seat.game.code, guest, account)
            table_names.settle(seat.game)
    matching.leave(guest, now=now, stop=True)
    before_start.leave_everything(guest, now=now)
    with transaction.atomic():
        friends.hold(guest, account)
        _move_what_is_over(guest, account)
        inbox.hand_over(guest.pk, account.pk)
        for field in handover.relations():
            if handover.label(field) not in STAYS and handover.label(field) not in _BY_HAND:
                found = handover.rows(field, guest).exclude(_of_both(field.model, guest, account))
                handover.move_rows(found, field.attname, account)
    inbox.touch([account.pk])
    _end(guest, now=now)


def leave_behind(guest: User, *, now: datetime) -> None:
    matching.leave(guest, now=now, stop=True)
    before_start.leave_everything(guest, now=now)
    announce.sessions_ended(guest.pk)


def _end(guest: User, *, now: datetime) -> None:
    """Erase the guest, and end their sessions, so that open pages are closed."""
    deletion.erase(guest, now=now)
    announce.sessions_ended(guest.pk)


def _of_both(model: type, guest: User, account: User) -> Q:
    """Filter rows of games in which both have a seat; these rows stay with the guest."""
    own = set(Seat.objects.filter(user=guest).values_list("game", flat=True))
    both = Seat.objects.filter(user=account, game__in=own).values_list("game", flat=True)
    names = {field.name for field in model._meta.concrete_fields}  # type: ignore[attr-defined]
    if "game" in names and model is not Game:
        return Q(game__in=list(both))
    return Q(pk__in=[])


def _move_what_is_over(guest: User, account: User) -> None:
    """Move the seats of finished games, with their results and tallies."""
    found = Seat.objects.filter(user=guest, live=False)
    handover.move_rows(found.exclude(_of_both(Seat, guest, account)), "user_id", account)
    Result.objects.filter(user=guest, seat__user=account).update(user=account)
    stay: dict[str, Counter[str]] = {}
    for left in Result.objects.filter(user=guest).select_related("seat__game"):
        seat, game = left.seat, left.seat.game
        thrown = throws.of_game(game) if game.throws_counted else {}
        counted = finish.counters(game, [seat], thrown)[seat.number]
        stay.setdefault(left.kind_key, Counter()).update(counted)
    mine = Tally.objects.filter(user=guest)
    for kind_key in set(mine.values_list("kind_key", flat=True)):
        kept = stay.get(kind_key, Counter())
        counts = Counter(dict(mine.filter(kind_key=kind_key).values_list("counter", "value")))
        Tally.objects.add(kind_key, {account.pk: counts - kept})
    mine.delete()
    for kind_key, kept in stay.items():
        Tally.objects.add(kind_key, {guest.pk: kept})
