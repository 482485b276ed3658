"""Friend requests (sent, accepted, declined), friendships, and the link that makes friends at once.

Nobody is told that a request was declined, that a friendship was ended, or that they are blocked:
a request that was declined, or sent to somebody who has blocked its sender, looks open. If you
follow the link of somebody who has blocked you, you see a friend, and they see nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, Literal

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from games.errors import Refused
from games.link_words import give_word, is_word
from games.models import FriendLink, Mute, Tie
from games.social.friends import presence
from games.social.inbox import entries as inbox
from games.social.inbox import kinds

MOST_FRIENDS: Final = 200
MOST_OPEN: Final = 50  # unanswered requests: sent within `NOT_AGAIN_FOR`, and received
# A request is not sent again for this long after it was sent, or after it was declined.
NOT_AGAIN_FOR: Final = timedelta(days=30)

# The relation of one person to another, as the first one sees it.
Relation = Literal["self", "none", "asked", "asks_me", "friends"]


# --- relations -----------------------------------------------------------------------------------


def relation(me: User, other: User) -> Relation:
    """The relation of `me` to `other`, as far as `me` may know it."""
    if me.pk == other.pk:
        return "self"
    tie = _of(me, other).first()
    if tie is None:
        return "none"
    if tie.accepted_at is not None:
        return "none" if blocks(me, other) else "friends"
    if tie.asked_by_id == me.pk:
        return "none" if tie.taken_back else "asked"
    hidden = tie.declined_at is not None or blocks(me, other)
    return "none" if hidden else "asks_me"


def are_friends(me: User, other: User) -> bool:
    """Whether two people are friends, as `me` sees it."""
    return _of(me, other).filter(accepted_at__isnull=False).exists() and not blocks(me, other)


def friends_of(person: User) -> QuerySet[User]:
    """The friends of a person, sorted by name, without suspended accounts."""
    tied = Tie.objects.filter(accepted_at__isnull=False)
    mine = tied.filter(
        Q(first=person, second=OuterRef("pk")) | Q(second=person, first=OuterRef("pk"))
    )
    blocked = Mute.objects.filter(by=person, whom=OuterRef("pk"), blocked=True)
    friends = User.objects.filter(Exists(mine), ~Exists(blocked), is_active=True)
    return friends.order_by("name_key")


def who_asks(person: User) -> list[User]:
    """The senders of requests to this person, the latest first, without those they have blocked."""
    found = _put_to(person).select_related("asked_by").order_by("-asked_at")
    return [tie.asked_by for tie in found]


def _put_to(person: User) -> QuerySet[Tie]:
    """The open requests that this person sees."""
    blocked = Mute.objects.filter(by=person, whom=OuterRef("asked_by"), blocked=True)
    open_ones = Tie.objects.filter(Q(first=person) | Q(second=person), accepted_at=None)
    open_ones = open_ones.filter(declined_at=None).exclude(asked_by=person)
    return open_ones.exclude(Exists(blocked)).filter(asked_by__is_active=True)


def whom_asked(person: User) -> list[User]:
    """The people who haven't answered this person's requests, as far as this person knows."""
    ties = _put_by(person).select_related("first", "second").order_by("-asked_at")
    return [tie.second if tie.first_id == person.pk else tie.first for tie in ties]


def _put_by(person: User) -> QuerySet[Tie]:
    """This person's own requests that are unanswered, as far as this person knows."""
    return Tie.objects.filter(asked_by=person, accepted_at=None, taken_back=False)


# --- asking and answering ------------------------------------------------------------------------


def ask(me: User, whom: User, *, now: datetime) -> Relation:
    """Send a friend request, or accept the one that `whom` has sent; returns the new relation.

    Refused: `guests_have_none`, `yourself`, `account_closed`, `you_blocked_them`,
    `too_many_friends`, `too_many_questions`.
    """
    _may_have_friends(me)
    with transaction.atomic():
        _hold_to_ask(me, whom)
        return _asked(me, whom, now=now)


def _asked(me: User, whom: User, *, now: datetime) -> Relation:
    tie = _of(me, whom).first()
    if tie is not None and (tie.accepted_at is not None or tie.asked_by_id != me.pk):
        return _befriended(me, whom, now=now)
    # Refusals and pages are the same whether the request was declined or not.
    month_ago = now - NOT_AGAIN_FOR
    is_new = tie is None or tie.taken_back or tie.asked_at <= month_ago
    if is_new:
        _has_room(me, whom)
        _has_room_for_questions(me, whom, now=now)
    declined_at = None if tie is None else tie.declined_at
    is_put = is_new if declined_at is None else declined_at <= month_ago
    values = {"asked_by": me, "taken_back": False}
    if is_new:
        values["asked_at"] = now
    if is_put:
        values["declined_at"] = None
    first, second = _in_order(me, whom)
    Tie.objects.update_or_create(first_id=first, second_id=second, defaults=values)
    if is_put and not blocks(whom, me):
        inbox.put(whom.pk, kinds.FRIEND, str(me.pk), now=now)
    return "asked"


def accept(me: User, asker: User, *, now: datetime) -> Relation:
    """Accept a friend request. Refused: as in `ask`; also `not_asked` if there is none."""
    _may_have_friends(me)
    with transaction.atomic():
        hold(me, asker)
        _has_not_blocked(me, asker)
        there = Q(accepted_at__isnull=False) | Q(asked_by=asker)
        if not _of(me, asker).filter(there).exists():
            raise Refused("not_asked")
        return _befriended(me, asker, now=now)


def decline(me: User, asker: User, *, now: datetime) -> None:
    """Decline a friend request; its sender is not told."""
    with transaction.atomic():
        mine = _of(me, asker).filter(asked_by=asker, accepted_at=None, declined_at=None)
        if mine.update(declined_at=now):
            inbox.withdraw(kinds.FRIEND, str(asker.pk), users=[me.pk])


def remove(me: User, other: User) -> None:
    """End a friendship, or take back one's own request."""
    with transaction.atomic():
        mine = _of(me, other).filter(Q(accepted_at__isnull=False) | Q(asked_by=me))
        # A declined request is only hidden: deleting it would let it be sent again at once.
        mine.exclude(declined_at=None).update(taken_back=True)
        if mine.filter(declined_at=None).delete()[0]:
            inbox.withdraw(kinds.FRIEND, str(me.pk), users=[other.pk])
            inbox.withdraw(kinds.FRIENDS_NOW, str(me.pk), users=[other.pk])
            inbox.withdraw(kinds.FRIENDS_NOW, str(other.pk), users=[me.pk])


def part(blocker: User, blocked: User) -> None:
    """End a person's friendship with, or request to, somebody whom they have just blocked."""
    with transaction.atomic():
        hold(blocker, blocked)  # a concurrent request is stored by then
        ended = Q(accepted_at__isnull=False) | Q(asked_by=blocker)
        _of(blocker, blocked).filter(ended).delete()
        for kind in (kinds.FRIEND, kinds.FRIENDS_NOW):
            inbox.withdraw(kind, str(blocker.pk), users=[blocked.pk])
            inbox.withdraw(kind, str(blocked.pk), users=[blocker.pk])


def _befriended(me: User, other: User, *, now: datetime) -> Relation:
    """Make two people friends, unless they are, and tell `other`. Both rows must be locked."""
    if are_friends(me, other):
        return "friends"
    _has_room(me, other)
    first, second = _in_order(me, other)
    answered = {"accepted_at": now, "declined_at": None, "taken_back": False}
    Tie.objects.update_or_create(
        first_id=first,
        second_id=second,
        defaults=answered,
        create_defaults=answered | {"asked_by": me, "asked_at": now},
    )
    presence.begin([me.pk, other.pk])
    inbox.withdraw(kinds.FRIEND, str(other.pk), users=[me.pk])
    inbox.withdraw(kinds.FRIEND, str(me.pk), users=[other.pk])
    inbox.put(other.pk, kinds.FRIENDS_NOW, str(me.pk), now=now)
    return "friends"


def _may_have_friends(me: User) -> None:
    if me.is_guest:
        raise Refused("guests_have_none")


def hold(one: User, other: User) -> dict[int, bool]:
    """Lock both rows in a fixed order, so that what two people do about each other is serialised.
    Returns whether each of them is active, by key.
    """
    people = User.objects.select_for_update(no_key=True).order_by("pk")
    return dict(people.filter(pk__in=[one.pk, other.pk]).values_list("pk", "is_active"))


def _hold_to_ask(me: User, whom: User) -> None:
    """Lock both rows. Refused: `yourself`, `account_closed`, `you_blocked_them`."""
    if me.pk == whom.pk:
        raise Refused("yourself")
    if not hold(me, whom)[whom.pk]:
        raise Refused("account_closed")
    _has_not_blocked(me, whom)


def _has_not_blocked(me: User, other: User) -> None:
    """Raise Refused `you_blocked_them` if `me` has blocked `other`."""
    if blocks(me, other):
        raise Refused("you_blocked_them")


def _has_room(me: User, other: User) -> None:
    """Raise Refused `too_many_friends` if one of them has no room for another friend."""
    for each in (me, other):
        if friends_of(each).count() >= MOST_FRIENDS:
            raise Refused("too_many_friends")


def _has_room_for_questions(me: User, other: User, *, now: datetime) -> None:
    """Raise Refused `too_many_questions`. Each side counts the requests that it sees. Old requests
    of `me` do not count: declined ones look open, and would fill the quota for ever.
    """
    mine = _put_by(me).filter(asked_at__gt=now - NOT_AGAIN_FOR)
    theirs = _put_to(other).exclude(asked_by=me)
    if mine.count() >= MOST_OPEN or theirs.count() >= MOST_OPEN:
        raise Refused("too_many_questions")


def _in_order(one: User, other: User) -> tuple[int, int]:
    """The keys of two people in the order of a tie's columns, `first` and `second`."""
    return min(one.pk, other.pk), max(one.pk, other.pk)


def _of(one: User, other: User) -> QuerySet[Tie]:
    first, second = _in_order(one, other)
    return Tie.objects.filter(first_id=first, second_id=second)


def blocks(person: User, other: User) -> bool:
    """Whether `person` has blocked `other`."""
    return Mute.objects.filter(by=person, whom=other, blocked=True).exists()


# --- the link ------------------------------------------------------------------------------------


def link_of(person: User) -> str:
    """The word in the address of an account's friend link; "" before it has one."""
    found = FriendLink.objects.filter(owner=person).first()
    return "" if found is None else found.word


def renew_link(person: User) -> str:
    """Create a new friend link; an earlier one stops working. Refused: `guests_have_none`."""
    _may_have_friends(person)

    def store(word: str) -> bool:
        FriendLink.objects.update_or_create(owner=person, defaults={"word": word})
        return True

    give_word(store)
    return link_of(person)


def owner_of(word: str) -> User | None:
    """The active account with this link, in upper or lower case; None if there is none."""
    word = word.lower()
    if not is_word(word):
        return None
    links = FriendLink.objects.select_related("owner")
    found = links.filter(word=word, owner__is_active=True).first()
    return None if found is None else found.owner


def follow(me: User, owner: User, *, now: datetime) -> Relation:
    """Become friends through the owner's link, without a request. Refused: as in `ask`.

    A person whom the owner has blocked sees no difference; the owner sees no friendship.
    """
    _may_have_friends(me)
    with transaction.atomic():
        _hold_to_ask(me, owner)
        return _befriended(me, owner, now=now)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete this person's ties and link, and the inbox entries that tell others of their ties."""
    hold(person, person)  # a concurrent request waits for this lock, and is refused then
    ties = Tie.objects.filter(Q(first=person) | Q(second=person))
    others = [pk for pair in ties.values_list("first", "second") for pk in pair if pk != person.pk]
    for kind in (kinds.FRIEND, kinds.FRIENDS_NOW):
        inbox.withdraw(kind, str(person.pk), users=sorted(others))
    ties.delete()
    presence.forget(person.pk)
    FriendLink.objects.filter(owner=person).delete()


def export(person: User) -> Mapping[str, object]:
    """This person's friends, their requests in both directions and their link, ready for JSON."""
    link = FriendLink.objects.filter(owner=person).first()
    return {
        "friends": _names(friends_of(person)),
        "friends_asked": _names(whom_asked(person)),
        "friends_asking": _names(who_asks(person)),
        "friend_link": link and f"/f/{link.word}",
    }


def _names(people: Iterable[User]) -> list[str]:
    return [each.shown_name for each in people]


# --- recent opponents ----------------------------------------------------------------------------


def recent_opponents(person: User, *, most: int) -> list[User]:
    """The people who played with this person last, without friends and those they have muted."""
    games = person.seat_set.filter(game__finished_at__isnull=False).order_by("-game__finished_at")
    ids = list(games.values_list("game_id", flat=True)[:_GAMES_LOOKED_AT])
    blocked = Mute.objects.filter(by=person, whom=OuterRef("pk"))
    met = (
        User.objects.filter(seat__game__in=ids, is_active=True)
        .exclude(pk=person.pk)
        .exclude(Exists(blocked))
        .exclude(pk__in=friends_of(person).order_by().values("pk"))
        .annotate(at=F("seat__game__finished_at"))
        .order_by("-at")
    )
    found: dict[int, User] = {}
    for each in met:
        found.setdefault(each.pk, each)
    return list(found.values())[:most]


_GAMES_LOOKED_AT: Final = 20
