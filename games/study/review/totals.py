"""The accounts of a review that only count each seat's decisions. Nothing here imports Django."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.study.review.content import Content
from games.study.review.log import Log

LABELS: Final[Mapping[str, str]] = {
    "inaccuracy": "inaccuracies",
    "mistake": "mistakes",
    "blunder": "blunders",
}


def of_seats(log: Log, decisions: Iterable[Content]) -> list[dict[str, Any]]:
    """An account for each seat that counts its own decisions and their labels; the figures that a
    judge would have to compute are None.

    Forced moves, and moves that the clock played for a person, are not decisions.
    """
    own = [each for each in decisions if each["by"] != "clock" and not each["forced"]]
    return [
        {
            "seat": seat,
            **dict.fromkeys(("first", "last", "own", "gifts", "luck", "residual", "accuracy")),
            "boldest": None,
            "read": None,
            "decisions": sum(each["seat"] == seat for each in own),
            **{
                counted: sum(each["seat"] == seat and each["label"] == label for each in own)
                for label, counted in LABELS.items()
            },
        }
        for seat in range(log.seats)
    ]
