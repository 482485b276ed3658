"""Which process plays which due game, where there are several processes.

A process plays what is due by a deadline that it has set itself. What stays overdue, because the
process that set its deadline has ended or stands still, is offered to one process after the other,
in an order that differs from game to game (rendezvous hashing over the ids of the processes): to
the first after `GRACE`, to the second after twice that, and so on. So nobody has to agree on who
runs: a wrong idea of it costs a lost race at most, and no game waits for good.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from django.db.models import Q

from games.play import alarm

# More than a process takes for its own games: half a second with a hundred tables of bots and four
# processes on two processors, and now and then more than one second while others use these too.
GRACE: Final = timedelta(seconds=2)


def rank(code: str, me: str, others: Collection[str]) -> int:
    """How many of the other processes, by their ids, come before this one for a game."""
    mine = _weight(code, me)
    return sum(_weight(code, other) > mine for other in others)


def _weight(code: str, process: str) -> bytes:
    return blake2b(f"{process} {code}".encode(), digest_size=8).digest()


@dataclass(frozen=True)
class Share:
    """What this process plays at `now`, while there are `others`.

    `deadlines`: those that have passed and that this process has set, by the code of the game.
    """

    me: str
    others: Collection[str]
    deadlines: Mapping[str, datetime]
    now: datetime

    def filter(self) -> Q:
        """The games among which `has` chooses, as far as the database can tell."""
        return Q(code__in=list(self.deadlines)) | Q(due_at__lte=self.now - GRACE)

    def has(self, code: str, due_at: datetime) -> bool:
        """Whether this process plays a game that is due since then."""
        if self.deadlines.get(code) == due_at:
            return True
        overdue = self.now - due_at
        return overdue >= GRACE and overdue >= GRACE * (1 + rank(code, self.me, self.others))


def _alone() -> Collection[str]:
    return ()


@dataclass(frozen=True)
class Shards:
    """The id of this process, and how to ask for those of the other processes that run."""

    me: str = ""
    others: Callable[[], Collection[str]] = _alone

    def share(self, *, now: datetime) -> Share | None:
        """What this process plays now; None: everything, as there is no other."""
        others = self.others()
        return Share(self.me, others, alarm.passed(now=now), now) if others else None


ALONE: Final = Shards()
