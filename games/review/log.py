"""The whole log of a finished game as the judge of a game gets it: plain JSON, without names.

It is read in the worker, so nothing here imports Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from games.core.codec import pack, unpack
from games.core.contract import Fact
from games.game_values import RecordedFact

By = Literal["person", "bot", "clock"]

_BEGINNING: Final = datetime(2000, 1, 1, tzinfo=UTC)  # when a game begun is nothing to a judge
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Log:
    """Every fact of a finished game in order, nothing hidden, and which seats are bots'."""

    seats: int
    bots: frozenset[int]
    facts: Sequence[RecordedFact]

    def by(self, seat: int, *, automatic: bool) -> By:
        """Who decided: a stand-in that moves for a person counts as the clock."""
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


def read(kinds: Mapping[str, type[Fact]], record: Mapping[str, Any]) -> Log:
    """The log that `written` made; ValueError for a fact that is none of these kinds."""
    facts = [
        RecordedFact(seq, _BEGINNING + at * _MICROSECOND, unpack(kinds, fact), automatic)
        for seq, at, fact, automatic in record["facts"]
    ]
    return Log(record["seats"], frozenset(record["bots"]), facts)
