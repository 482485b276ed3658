"""A reviewed decision as the replay shows it: what could be done, what was, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext

from games.optional_parts import ReviewWords
from games.words import percent

MOST_SHOWN: Final = 6
# Moves that were worth so little less than the best are not told from it.
_NOTHING: Final = 0.005


def has_values(decision: Mapping[str, Any]) -> bool:
    """Whether somebody has computed what the moves were worth."""
    return any(each["value"] is not None for each in decision["options"])


def shown(decision: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The best options, at most MOST_SHOWN, with the one that was played among them."""
    options: Sequence[Mapping[str, Any]] = decision["options"]
    played = [each["move"] for each in options].index(decision["played"])
    if played < MOST_SHOWN:
        return options[:MOST_SHOWN]
    return [*options[: MOST_SHOWN - 1], options[played]]


def of_decision(
    words: ReviewWords, decision: Mapping[str, Any], name: str, *, is_reader: bool
) -> dict[str, Any]:
    """The values of `games/_judgement.html`: a decision whose moves have values.

    What a bot or the clock did is told, and never called an error.
    """
    regret = decision["regret"]
    return {
        "number": decision["number"],
        "seat": decision["seat"],
        "name": name,
        "is_reader": is_reader,
        "kind": (decision["label"] or "") if decision["by"] == "person" else "",
        "verdict": _verdict(decision),
        "regret": words.cost(regret) if regret >= _NOTHING else "",
        "why": words.why(decision, None if is_reader else name),
        "unit": words.unit(),
        "options": [
            {
                "words": words.move(each["move"]),
                "odds": "–" if each["odds"] is None else percent(each["odds"]),
                "value": words.value(each["value"]),
                "is_best": each["move"] == decision["best"],
                "is_played": each["move"] == decision["played"],
            }
            for each in shown(decision)
        ],
    }


def _verdict(decision: Mapping[str, Any]) -> str:
    """What the decision was, as a heading."""
    match decision["by"]:
        case "bot":
            return gettext("Played by a bot")
        case "clock":
            return gettext("Played automatically")
    if decision["forced"]:
        return gettext("The only move")
    if decision["label"]:
        return capitalised(decision["label"])
    return gettext("Best move") if decision["regret"] < _NOTHING else gettext("Good move")


def capitalised(kind: str) -> str:
    """An error as a heading or the name of a mark; KeyError for none."""
    return {
        "inaccuracy": gettext("Inaccuracy"),
        "mistake": gettext("Mistake"),
        "blunder": gettext("Blunder"),
    }[kind]
