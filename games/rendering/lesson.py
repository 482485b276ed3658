"""What the steps of all tutorials have in common: who sits there, and the reply to a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accounts.requests import AnyUser
from games.models import Seat


def seats(user: AnyUser, count: int, *, bot: str) -> list[Seat]:
    """The learner at seat 0 and bots, as they would sit at a real table; no row is ever written.

    `user` may be anonymous.
    """
    person = user if user.is_authenticated else None
    bots = [Seat(number=number, bot=bot) for number in range(1, count)]
    return [Seat(number=0, user=person), *bots]


def reply(verdict: str, said: Any, names: Mapping[str, str]) -> str:
    """What is said to the learner; the rules' reason for a refusal has no names to fill in."""
    return str(said) if verdict == "refused" else str(said) % names
