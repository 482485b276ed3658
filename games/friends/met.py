"""Whom a player could add as a friend after a game."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.models import Mute, Tie


def to_add(person: User, met: Iterable[User]) -> set[int]:
    """The keys of those of these people whom this person could ask to be friends: nobody who is a
    friend, was asked already, is gone or was blocked by them. One query; none for nobody.

    Who has blocked this person is among them: a block is told by no button that is missing.
    """
    keys = {each.pk for each in met} - {person.pk}
    if not keys:
        return set()
    tied = Tie.objects.filter(
        Q(first=person, second=OuterRef("pk")) | Q(second=person, first=OuterRef("pk"))
    )
    settled = tied.filter(Q(accepted_at__isnull=False) | Q(asked_by=person))
    blocked = Mute.objects.filter(by=person, whom=OuterRef("pk"), blocked=True)
    found = User.objects.filter(~Exists(settled), ~Exists(blocked), pk__in=keys, is_active=True)
    return set(found.values_list("pk", flat=True))
