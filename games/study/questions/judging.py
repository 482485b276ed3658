"""The search for decisions with one right answer; it runs in the worker, without Django."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import process_time
from typing import Any


def clear(
    judge: str, asked: Sequence[tuple[Sequence[Any], int]], most: int, seconds: float
) -> list[tuple[int, dict[str, Any]]]:
    """The first decisions with one right answer, at most `most`, found within `seconds` of CPU.

    `judge` is the name of the judge's module; `asked` has, for each decision, the facts that its
    seat was told, and the seat. Each result is an index in `asked` and the judgement.
    """
    until, decide = process_time() + seconds, import_module(judge).clear
    found: list[tuple[int, dict[str, Any]]] = []
    for place, (told, seat) in enumerate(asked):
        if len(found) == most or process_time() > until:
            break
        judgement = decide(told, seat)
        if judgement is not None:
            found.append((place, judgement))
    return found
