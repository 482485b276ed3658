"""The complete log of a finished game as input of a judge: plain JSON, without names.

The worker reads it, so nothing here imports Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from games.contract.game_values import RecordedFact
from games.core.codec import pack, unpack
from games.core.contract import Fact
from games.study.review.content import Content

By = Literal["person", "bot", "clock"]

_BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)  # a dummy; judges don't use the start time
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Log:
    """All facts of a finished game in order, hidden ones included, and the seats of bots."""

    seats: int
    bots: frozenset[int]
    facts: Sequence[RecordedFact]

    def by(self, seat: int, *, automatic: bool) -> By:
        """Who made a move; a stand-in that moves for a person counts as the clock."""
        if seat in self.bots:
            return "bot"
        return "clock" if automatic else "person"


def written(facts: Sequence[RecordedFact], *, seats: int, bots: Iterable[int]) -> dict[str, Any]:
    """A log in JSON; times are microseconds since its first fact."""
    began = facts[0].at
    return {
        "seats": seats,
        "bots": sorted(bots),
        "facts": [
            [each.seq, (each.at - began) // _MICROSECOND, pack(each.fact), each.automatic]
            for each in facts
        ],
    }


def read(kinds: Mapping[str, type[Fact]], record: Content) -> Log:
    """The log that `written` made. Raises ValueError for a fact of an unknown kind."""
    facts = [
        RecordedFact(seq, _BEGINNING + at * _MICROSECOND, unpack(kinds, fact), automatic)
        for seq, at, fact, automatic in record["facts"]
    ]
    return Log(record["seats"], frozenset(record["bots"]), facts)
