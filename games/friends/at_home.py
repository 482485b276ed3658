"""What the home page says of friends: who is here, who asks, and whom it may name at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q

from accounts import avatars
from accounts.models import User
from games.friends import presence
from games.models import Mute, Tie


@dataclass(frozen=True, slots=True)
class Around:
    """The keys of one's `friends`; those who are `here` and show it, by name; who is `asking`.

    People are plain values: `pk`, `username` and `avatar`.
    """

    friends: frozenset[int]
    here: list[dict[str, Any]]
    asking: list[dict[str, Any]]

    def names(self, person: User) -> bool:
        """Whether this person may be named where they are: a friend who shows it."""
        return person.pk in self.friends and person.shows_online and person.is_active


def around(me: User, *, now: datetime) -> Around:
    """Three queries at most; none for a guest, who has no friends."""
    if me.is_guest:
        return Around(frozenset(), [], [])
    friends, asking = set(), []
    ties = Tie.objects.filter(Q(first=me) | Q(second=me)).order_by("-asked_at")
    columns = ties.values_list("first", "second", "asked_by", "accepted_at", "declined_at")
    for first, second, asked_by, accepted_at, declined_at in columns:
        other = second if first == me.pk else first
        if accepted_at is not None:
            friends.add(other)
        elif declined_at is None and asked_by == other:
            asking.append(other)
    return Around(
        frozenset(friends),
        _here(friends, now=now) if friends else [],
        _who_asks(me, asking) if asking else [],
    )


def _here(friends: set[int], *, now: datetime) -> list[dict[str, Any]]:
    """Who of them is here, by name."""
    shown = presence.shown(friends, now=now).filter(user__is_active=True)
    columns = shown.order_by("user__name_key").values_list(
        "pk", "user__username", "user__animal", "user__cloth"
    )
    return [_person(*each) for each in columns]


def _who_asks(me: User, asking: list[int]) -> list[dict[str, Any]]:
    """As `services.who_asks`: the latest first, and nobody whom one has blocked."""
    blocked = Mute.objects.filter(by=me, whom=OuterRef("pk"), blocked=True)
    people = User.objects.filter(~Exists(blocked), pk__in=asking, is_active=True)
    found = {each[0]: each for each in people.values_list("pk", "username", "animal", "cloth")}
    return [_person(*found[each]) for each in asking if each in found]


def _person(pk: int, name: str, animal: str, cloth: str) -> dict[str, Any]:
    avatar = avatars.avatar(name, animal=animal, cloth=cloth)
    return {"pk": pk, "username": name, "avatar": avatar}
