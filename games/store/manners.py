"""How often people leave rated games, which others play to the end without them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from accounts.models import User
from games.models import RatedSeat

LATEST: Final = 100  # games that are looked at
FEWEST: Final = 10  # games, before anything is said of somebody
_OFTEN: Final = 0.15  # of one's games


@dataclass(frozen=True, slots=True)
class Manners:
    """How many of their latest rated games a person left."""

    left: int
    games: int

    @property
    def leaves_often(self) -> bool:
        return self.games >= FEWEST and self.left > _OFTEN * self.games


def of(user: User) -> Manners:
    """How often a person left; somebody who comes back into the game has not."""
    if user.is_guest:
        return Manners(0, 0)
    ended = RatedSeat.objects.filter(rating__user=user, number__isnull=False).order_by("-at")
    seats = ended.values_list("seat__gone", "seat__asleep")[:LATEST]
    away = [gone or asleep for gone, asleep in seats]
    return Manners(sum(away), len(away))


def of_leavers(users: Collection[User]) -> dict[int, Manners]:
    """Those of these people who leave often, by user."""
    found = {user.pk: of(user) for user in users}
    return {pk: each for pk, each in found.items() if each.leaves_often}
