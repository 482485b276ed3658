"""Friends on the home page: those who are online, friend requests, and who may be named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from accounts import avatars
from accounts.models import User
from games.models import Mute, Tie
from games.social.friends import presence


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """A person in a list."""

    pk: int
    username: str
    avatar: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Around:
    """The keys of a person's `friends`, the friends who are `here` by name, and who is `asking`.

    Friends who hide their presence are not in `here`. `asking` are the people whose friend requests
    wait for an answer.
    """

    friends: frozenset[int]
    here: list[Person]
    asking: list[Person]

    def names(self, person: User) -> bool:
        """Whether pages may say where this person is: a friend who shows their presence."""
        return person.pk in self.friends and person.shows_online and person.is_active


def around(me: User, *, now: datetime) -> Around:
    """The friends panel of a person: three queries at most, none for a guest (guests have none)."""
    if me.is_guest:
        return Around(frozenset(), [], [])
    friends, asking = set(), []
    ties = Tie.objects.filter(Q(first=me) | Q(second=me)).order_by("-asked_at")
    blocked = Mute.objects.filter(by=me, blocked=True)
    ties = ties.exclude(first__in=blocked.values("whom")).exclude(second__in=blocked.values("whom"))
    columns = ties.values_list("first", "second", "asked_by", "accepted_at", "declined_at")
    for first, second, asked_by, accepted_at, declined_at in columns:
        other = second if first == me.pk else first
        if accepted_at is not None:
            friends.add(other)
        elif declined_at is None and asked_by == other:
            asking.append(other)
    return Around(
        frozenset(friends),
        _here(me, friends, now=now) if friends else [],
        _who_asks(me, asking) if asking else [],
    )


def _here(me: User, friends: set[int], *, now: datetime) -> list[Person]:
    """The friends who are here and show it to `me`, sorted by name."""
    shown = presence.shown(friends, to=me, now=now).filter(user__is_active=True)
    columns = shown.order_by("user__name_key").values_list(
        "pk", "user__username", "user__animal", "user__cloth"
    )
    return [_person(*each) for each in columns]


def _who_asks(me: User, asking: list[int]) -> list[Person]:
    """The people with these keys, in this order (the latest request first)."""
    people = User.objects.filter(pk__in=asking, is_active=True)
    found = {each[0]: each for each in people.values_list("pk", "username", "animal", "cloth")}
    return [_person(*found[each]) for each in asking if each in found]


def _person(pk: int, name: str, animal: str, cloth: str) -> Person:
    return Person(pk=pk, username=name, avatar=avatars.avatar(name, animal=animal, cloth=cloth))
