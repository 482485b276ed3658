"""Friends: asking, accepting, declining and ending it, and the link that makes friends at once.

Nobody is told that a question was declined, that a friendship was ended, or that they are blocked:
a question that is declined, or put to somebody who has blocked them, looks like one still open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from games.errors import Refused
from games.friends import presence
from games.inbox import kinds
from games.inbox import services as inbox
from games.models import FriendLink, Mute, Tie
from games.standing.links import give_word, is_word

MOST_FRIENDS: Final = 200
MOST_OPEN: Final = 50  # questions of one person that nobody has answered, and of one who is asked
# A question that was declined, or whose asker was removed, is not put again for so long.
NOT_AGAIN_FOR: Final = timedelta(days=30)

# How one person stands to another, as they see it.
Standing = Literal["self", "none", "asked", "asks_me", "friends"]


# --- how two stand to each other -----------------------------------------------------------------


def standing(me: User, other: User) -> Standing:
    """How `me` stands to `other`, as far as `me` may know it."""
    if me.pk == other.pk:
        return "self"
    tie = _of(me, other).first()
    if tie is None:
        return "none"
    if tie.accepted_at is not None:
        return "friends"
    if tie.asked_by_id == me.pk:
        return "asked"
    hidden = tie.declined_at is not None or _blocks(me, other)
    return "none" if hidden else "asks_me"


def are_friends(one: User, other: User) -> bool:
    return _of(one, other).filter(accepted_at__isnull=False).exists()


def friends_of(person: User) -> QuerySet[User]:
    """The friends of a person, by name; those whose account is suspended are left out."""
    tied = Tie.objects.filter(accepted_at__isnull=False)
    mine = tied.filter(
        Q(first=person, second=OuterRef("pk")) | Q(second=person, first=OuterRef("pk"))
    )
    return User.objects.filter(Exists(mine), is_active=True).order_by("name_key")


def who_asks(person: User) -> list[User]:
    """Those who wait for an answer of this person, the latest first; nobody they have blocked."""
    blocked = Mute.objects.filter(by=person, whom=OuterRef("asked_by"), blocked=True)
    open_ones = _open().filter(Q(first=person) | Q(second=person)).exclude(asked_by=person)
    found = open_ones.exclude(Exists(blocked)).filter(asked_by__is_active=True)
    return [tie.asked_by for tie in found.select_related("asked_by").order_by("-asked_at")]


def whom_asked(person: User) -> list[User]:
    """Those who have not answered this person, as far as this person knows."""
    mine = Tie.objects.filter(asked_by=person, accepted_at=None)
    ties = mine.select_related("first", "second").order_by("-asked_at")
    return [tie.second if tie.first_id == person.pk else tie.first for tie in ties]


# --- asking and answering ------------------------------------------------------------------------


def ask(me: User, whom: User, *, now: datetime) -> Standing:
    """Ask somebody to be friends; who is asked by them already accepts. How they stand then.

    Refused: `guests_have_none`, `yourself`, `account_closed`, `you_blocked_them`,
    `too_many_friends`, `too_many_questions`.
    """
    _may_have_friends(me)
    with transaction.atomic():
        _hold_to_ask(me, whom)
        return _asked(me, whom, now=now)


def _asked(me: User, whom: User, *, now: datetime) -> Standing:
    tie = _of(me, whom).first()
    if tie is not None and (tie.accepted_at is not None or tie.asked_by_id != me.pk):
        return _befriended(me, whom, now=now)
    if tie is not None:
        if tie.declined_at is None or tie.declined_at > now - NOT_AGAIN_FOR:
            return "asked"
        tie.delete()
    _has_room(me, whom)
    _has_room_for_questions(me, whom)
    first, second = _in_order(me, whom)
    Tie.objects.create(first_id=first, second_id=second, asked_by=me, asked_at=now)
    if not _blocks(whom, me):
        inbox.put(whom.pk, kinds.FRIEND, str(me.pk), now=now)
    return "asked"


def accept(me: User, asker: User, *, now: datetime) -> Standing:
    """Accept somebody's question; Refused as `ask`, and `not_asked` where there is none (more)."""
    _may_have_friends(me)
    with transaction.atomic():
        hold(me, asker)
        _has_not_blocked(me, asker)
        there = Q(accepted_at__isnull=False) | Q(asked_by=asker)
        if not _of(me, asker).filter(there).exists():
            raise Refused("not_asked")
        return _befriended(me, asker, now=now)


def decline(me: User, asker: User, *, now: datetime) -> None:
    """Leave somebody's question unanswered for good; they are not told."""
    with transaction.atomic():
        mine = _of(me, asker).filter(asked_by=asker, accepted_at=None, declined_at=None)
        if mine.update(declined_at=now):
            inbox.withdraw(kinds.FRIEND, str(asker.pk), users=[me.pk])


def remove(me: User, other: User) -> None:
    """End a friendship, or take back one's own question."""
    with transaction.atomic():
        mine = _of(me, other).filter(Q(accepted_at__isnull=False) | Q(asked_by=me))
        # A question that was declined stays: taking it back is no way to ask again.
        if mine.filter(declined_at=None).delete()[0]:
            inbox.withdraw(kinds.FRIEND, str(me.pk), users=[other.pk])
            inbox.withdraw(kinds.FRIENDS_NOW, str(me.pk), users=[other.pk])
            inbox.withdraw(kinds.FRIENDS_NOW, str(other.pk), users=[me.pk])


def part(blocker: User, blocked: User) -> None:
    """End what ties a person to one whom they have just blocked."""
    with transaction.atomic():
        hold(blocker, blocked)  # a question that is on its way is there then
        ended = Q(accepted_at__isnull=False) | Q(asked_by=blocker)
        _of(blocker, blocked).filter(ended).delete()
        for kind in (kinds.FRIEND, kinds.FRIENDS_NOW):
            inbox.withdraw(kind, str(blocker.pk), users=[blocked.pk])
            inbox.withdraw(kind, str(blocked.pk), users=[blocker.pk])


def _befriended(me: User, other: User, *, now: datetime) -> Standing:
    """Make them friends, unless they are; `other` is told. Both rows are held."""
    if are_friends(me, other):
        return "friends"
    _has_room(me, other)
    first, second = _in_order(me, other)
    answered = {"accepted_at": now, "declined_at": None}
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
    """Hold both rows, in one order: what two do about each other at once happens one by one. Who of
    them is active, by key.
    """
    people = User.objects.select_for_update(no_key=True).order_by("pk")
    return dict(people.filter(pk__in=[one.pk, other.pk]).values_list("pk", "is_active"))


def _hold_to_ask(me: User, whom: User) -> None:
    """Hold both rows. Refused: `yourself`, `account_closed`, `you_blocked_them`."""
    if me.pk == whom.pk:
        raise Refused("yourself")
    if not hold(me, whom)[whom.pk]:
        raise Refused("account_closed")
    _has_not_blocked(me, whom)


def _has_not_blocked(me: User, other: User) -> None:
    """Refused: `you_blocked_them`; nobody ties themselves to one whom they keep away."""
    if _blocks(me, other):
        raise Refused("you_blocked_them")


def _has_room(me: User, other: User) -> None:
    """Refused: `too_many_friends`."""
    for each in (me, other):
        if friends_of(each).count() >= MOST_FRIENDS:
            raise Refused("too_many_friends")


def _has_room_for_questions(me: User, other: User) -> None:
    """Refused: `too_many_questions`."""
    mine = Tie.objects.filter(asked_by=me, accepted_at=None)
    theirs = _open().filter(Q(first=other) | Q(second=other)).exclude(asked_by=other)
    if mine.count() >= MOST_OPEN or theirs.count() >= MOST_OPEN:
        raise Refused("too_many_questions")


def _in_order(one: User, other: User) -> tuple[int, int]:
    """The keys of a tie's first and second."""
    return min(one.pk, other.pk), max(one.pk, other.pk)


def _of(one: User, other: User) -> QuerySet[Tie]:
    first, second = _in_order(one, other)
    return Tie.objects.filter(first_id=first, second_id=second)


def _open() -> QuerySet[Tie]:
    return Tie.objects.filter(accepted_at=None, declined_at=None)


def _blocks(person: User, other: User) -> bool:
    return Mute.objects.filter(by=person, whom=other, blocked=True).exists()


# --- the link ------------------------------------------------------------------------------------


def link_of(person: User) -> str:
    """The word of an account's link; "" before it has one."""
    found = FriendLink.objects.filter(owner=person).first()
    return "" if found is None else found.word


def renew_link(person: User) -> str:
    """A link, or another one: that before leads nowhere. Refused: `guests_have_none`."""
    _may_have_friends(person)

    def store(word: str) -> bool:
        FriendLink.objects.update_or_create(owner=person, defaults={"word": word})
        return True

    give_word(store)
    return link_of(person)


def owner_of(word: str) -> User | None:
    """Whose link this is, in whatever case it is typed; None when no active account has it."""
    word = word.lower()
    if not is_word(word):
        return None
    links = FriendLink.objects.select_related("owner")
    found = links.filter(word=word, owner__is_active=True).first()
    return None if found is None else found.owner


def follow(me: User, owner: User, *, now: datetime) -> Standing:
    """Become friends by somebody's link, which asked for it; Refused: as `ask`.

    One whom the owner has blocked seems to have asked.
    """
    _may_have_friends(me)
    with transaction.atomic():
        _hold_to_ask(me, owner)
        become = _asked if _blocks(owner, me) else _befriended
        return become(me, owner, now=now)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete this person's ties and their link, and what others were told of them."""
    hold(person, person)  # who asks them just now is refused then
    ties = Tie.objects.filter(Q(first=person) | Q(second=person))
    others = [pk for pair in ties.values_list("first", "second") for pk in pair if pk != person.pk]
    for kind in (kinds.FRIEND, kinds.FRIENDS_NOW):
        inbox.withdraw(kind, str(person.pk), users=sorted(others))
    ties.delete()
    presence.forget(person.pk)
    FriendLink.objects.filter(owner=person).delete()


def export(person: User) -> Mapping[str, Any]:
    """The friends of this person and what they have asked, ready for JSON."""
    link = FriendLink.objects.filter(owner=person).first()
    return {
        "friends": _names(friends_of(person)),
        "friends_asked": _names(whom_asked(person)),
        "friends_asking": _names(who_asks(person)),
        "friend_link": link and f"/f/{link.word}",
    }


def _names(people: Iterable[User]) -> list[str]:
    return [each.shown_name for each in people]


# --- who was met ---------------------------------------------------------------------------------


def recent_opponents(person: User, *, most: int) -> list[User]:
    """Those who played with this person last, without friends and those they have blocked."""
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
