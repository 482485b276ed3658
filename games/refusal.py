"""A deed the site refuses, with a stable reason code; the words live in `games.words`."""

from __future__ import annotations


class Refused(Exception):
    """Nothing was changed. `code` says why; see `games.words.reason` for what people read."""

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details
