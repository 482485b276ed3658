"""Looks for a decision that has one right answer; runs in the worker, without Django."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import process_time
from typing import Any


def clear(
    judge: str, asked: Sequence[tuple[Sequence[Any], int]], most: int, seconds: float
) -> list[tuple[int, dict[str, Any]]]:
    """The first clear decisions of these, at most so many, that this module finds in that time.

    Of each its place in `asked`, which has the facts that its seat was told and the seat, and its
    judgement.
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
