"""What became of an action: plain values, of which answerers make pages, JSON or frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Done:
    """The action was done. The game at the table it was done at is now at `seq`.

    `goes_to` is the table at which the person is from now on, where that is another page than
    before; `leaves`: they are at no table any more. `but`: what was wished besides and refused.
    """

    seq: int
    goes_to: str | None = None
    leaves: bool = False
    but: NotDone | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """The action was refused and nothing has changed.

    `reason` is a stable code; with `details` and the `kind_key` of the game, "" where it does not
    matter, `games.words.reason` makes a sentence of it.
    """

    reason: str
    details: Mapping[str, int | str] = field(default_factory=dict)
    kind_key: str = ""


@dataclass(frozen=True, slots=True)
class SignInFirst:
    """Only those who are signed in may act."""


@dataclass(frozen=True, slots=True)
class NoSuchTable:
    """There is no table of this code."""


Outcome = Done | NotDone | SignInFirst | NoSuchTable
