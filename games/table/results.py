"""The results of an action, as plain values that callers turn into pages, JSON or frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Done:
    """The action was performed, and the game at its table is now at `seq`.

    `goes_to` is the code of the table that the person goes to, if their page changes. `leaves`:
    they are at no table any more. `but` is the refusal of a part of the request.
    """

    seq: int
    goes_to: str | None = None
    leaves: bool = False
    but: NotDone | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """The action was refused and nothing has changed.

    `reason` is a stable code. `games.words.reason` turns it, the `details` and the `kind_key` of
    the game ("" if it does not matter) into a sentence.
    """

    reason: str
    details: Mapping[str, int | str] = field(default_factory=dict)
    kind_key: str = ""


@dataclass(frozen=True, slots=True)
class SignInFirst:
    """The action was rejected because the user isn't signed in."""


@dataclass(frozen=True, slots=True)
class NoSuchTable:
    """There is no table with this code."""


Result = Done | NotDone | SignInFirst | NoSuchTable
