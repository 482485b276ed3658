"""Conversion of digits: phones set to Arabic, Persian or Hindi type their own into codes."""

from __future__ import annotations

import unicodedata


def ascii_digits(text: str) -> str:
    """Replace the decimal digits of any script by 0 to 9, and keep all other characters."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(each, each)) for each in text)
