"""The accounts of a review: what each seat decided itself, counted. Nothing of Django is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.review.log import Log

LABELS: Final[Mapping[str, str]] = {
    "inaccuracy": "inaccuracies",
    "mistake": "mistakes",
    "blunder": "blunders",
}


def of_seats(log: Log, decisions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """An account for each seat, with its own decisions and their labels counted; every figure that
    a judge would have to compute is None.

    What was forced is no decision, nor is what the clock played for a person.
    """
    own = [each for each in decisions if each["by"] != "clock" and not each["forced"]]
    return [
        {
            "seat": seat,
            **dict.fromkeys(("first", "last", "own", "gifts", "luck", "residual", "accuracy")),
            "boldest": None,
            "decisions": sum(each["seat"] == seat for each in own),
            **{
                counted: sum(each["seat"] == seat and each["label"] == label for each in own)
                for label, counted in LABELS.items()
            },
        }
        for seat in range(log.seats)
    ]
