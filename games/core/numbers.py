"""Parsing of numbers that people type, with the digits of any script."""

from __future__ import annotations


def whole_number(text: object, *, digits: int) -> int | None:
    """Parse a whole number of at most this many digits; None for anything else."""
    if isinstance(text, str) and text.isdecimal() and len(text) <= digits:
        return int(text)
    return None
