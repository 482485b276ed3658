"""Shared parts of the steps of all tutorials: the seats, and the reply to a move."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.requests import AnyUser
from games.models import Seat


def seats(user: AnyUser, count: int, *, bot: str) -> list[Seat]:
    """Unsaved seats of a table of `count`: the learner at seat 0, bots at the others.

    `user` may be anonymous.
    """
    person = user if user.is_authenticated else None
    bots = [Seat(number=number, bot=bot) for number in range(1, count)]
    return [Seat(number=0, user=person), *bots]


def reply(verdict: str, said: object, names: Mapping[str, str]) -> str:
    """The reply to the learner, with names filled in; a refusal's reason has no placeholders."""
    return str(said) if verdict == "refused" else str(said) % names
