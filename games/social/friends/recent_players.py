"""The players of a game whom a player can add as friends afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.models import Mute, Tie


def to_add(person: User, met: Iterable[User]) -> set[int]:
    """The keys of those in `met` to whom this person could send a friend request.

    Leaves out friends, people already asked, closed accounts, and people this person has blocked.
    People who have blocked this person are included, so that no missing button reveals a block.
    One query; none if `met` is empty.
    """
    keys = {each.pk for each in met} - {person.pk}
    if not keys:
        return set()
    tied = Tie.objects.filter(
        Q(first=person, second=OuterRef("pk")) | Q(second=person, first=OuterRef("pk"))
    )
    settled = tied.filter(Q(accepted_at__isnull=False) | Q(asked_by=person, taken_back=False))
    blocked = Mute.objects.filter(by=person, whom=OuterRef("pk"), blocked=True)
    found = User.objects.filter(~Exists(settled), ~Exists(blocked), pk__in=keys, is_active=True)
    return set(found.values_list("pk", flat=True))
