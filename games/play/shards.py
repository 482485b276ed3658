"""Distribution of due games among several processes.

A process plays the games whose deadlines it has set itself. If that process has ended or hangs, the
overdue game becomes available to the other processes one by one, in an order that differs from
game to game (rendezvous hashing over the process ids): to the first after `GRACE`, to the second
after twice that, and so on. The processes need not agree on which of them run: an outdated list
costs at most a lost race, and no game waits forever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from django.db.models import Q

from games.play import alarm

# Longer than a process takes for its own games: half a second with a hundred tables of bots and
# four processes on two processors, and sometimes over one second if other work shares these.
GRACE: Final = timedelta(seconds=2)


def rank(code: str, me: str, others: Collection[str]) -> int:
    """Return how many of the other processes come before this one for a game, by their ids."""
    mine = _weight(code, me)
    return sum(_weight(code, other) > mine for other in others)


def _weight(code: str, process: str) -> bytes:
    return blake2b(f"{process} {code}".encode(), digest_size=8).digest()


@dataclass(frozen=True)
class Share:
    """The games this process plays at `now`, if the process ids `others` run too.

    `deadlines`: passed deadlines that this process has set, by game code.
    """

    me: str
    others: Collection[str]
    deadlines: Mapping[str, datetime]
    now: datetime

    def filter(self) -> Q:
        """Return the database filter for candidates, which `has` then narrows down."""
        return Q(code__in=list(self.deadlines)) | Q(due_at__lte=self.now - GRACE)

    def has(self, code: str, due_at: datetime) -> bool:
        """Whether this process plays a game that has been due since `due_at`."""
        if self.deadlines.get(code) == due_at:
            return True
        overdue = self.now - due_at
        return overdue >= GRACE and overdue >= GRACE * (1 + rank(code, self.me, self.others))


def _alone() -> Collection[str]:
    return ()


@dataclass(frozen=True)
class Shards:
    """The id of this process, and a function that returns the ids of the other running ones."""

    me: str = ""
    others: Callable[[], Collection[str]] = _alone

    def share(self, *, now: datetime) -> Share | None:
        """Return the share of this process; None: all games, as there is no other process."""
        others = self.others()
        return Share(self.me, others, alarm.passed(now=now), now) if others else None


ALONE: Final = Shards()
