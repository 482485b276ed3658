"""The error of a refused action."""

from __future__ import annotations


class Refused(Exception):
    """The action was refused and nothing has changed.

    `code` is a stable reason code, and `details` are the values for its sentence. The sentences are
    in `games.words` and in the `words` of each game.
    """

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details
