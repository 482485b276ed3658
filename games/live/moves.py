"""Moves over the socket of a page: by `act`, as a POST, and answered in a few words.

A page sends MOVE and its form, urlencoded, with two fields besides: `n`, which the answer repeats,
and `at`, when it was pressed, in milliseconds of the server's clock. The answer is JSON, one of

    {"n": 3, "seq": 17}         done and stored; the table is now at 17
    {"n": 3, "go": "/games/…"}  done; the person is on that page from now on
    {"n": 3, "notice": "…"}     refused, with the reason in the reader's language; nothing changed
    {"n": 3, "status": 503}     not done, for what a response of this status would say
    {"n": 3, "post": true}      not even tried: the page posts its form

A page that hears nothing for a while gives the socket up and looks; what it sent may still lie in a
buffer on the way. So a move that took longer than LATEST_MS is refused as stale.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.debug import sensitive_variables

from games import words
from games.actions.act import Actor, act
from games.actions.at_a_table import MOVE as MOVE_ACTION
from games.actions.outcomes import Done, NotDone, Outcome
from games.live import outage_handling, signed_in
from games.play import move_log

MOVE: Final = "move "
# Pages wait for four seconds (moves.js). Their clock is behind the server's, never ahead.
LATEST_MS: Final = 5_000
_NUMBER: Final = re.compile("[0-9]{1,15}")

_in_hand = 0
_is_stopping = False
logger = logging.getLogger(__name__)


class SignedOut(Exception):
    """The session of this socket has ended, or its person may not act any more."""


def are_in_hand() -> bool:
    """Whether a move that came over a socket is not answered yet."""
    return _in_hand > 0


def stop() -> None:
    """Try no more moves: this process is about to stop. What is in hand is answered before sockets
    are closed, so that one that closes without an answer has not tried.
    """
    global _is_stopping
    _is_stopping = True


def are_stopped() -> bool:
    """Whether this process tries no more moves."""
    return _is_stopping


@contextmanager
def in_hand() -> Iterator[None]:
    """Shutdown waits for what happens within."""
    global _in_hand
    _in_hand += 1
    try:
        yield
    finally:
        _in_hand -= 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page sent: the number and the time it gave, and its form; None: it makes no sense."""

    number: int | None = None
    at: int = 0  # milliseconds since 1970
    fields: QueryDict | None = field(default=None, repr=False)

    @classmethod
    def of(cls, said: str) -> Asked:
        """Read a message that begins with MOVE."""
        try:
            fields = QueryDict(said.removeprefix(MOVE), encoding="utf-8")
            number, at = fields.get("n", ""), fields.get("at", "")
        except SuspiciousOperation:  # too many fields
            return cls()
        if not all(_NUMBER.fullmatch(each) for each in (number, at)):
            return cls()
        return cls(int(number), int(at), fields)


def not_tried(said: str) -> dict[str, Any]:
    """The answer of a process that is about to stop."""
    return {"n": Asked.of(said).number, "post": True}


@sensitive_variables()
def answer(said: str, code: str, scope: dict[str, Any], *, language: str) -> dict[str, Any]:
    """Do what a message that begins with MOVE asks for at the table `code`; what to answer.

    SignedOut: nobody may act through this socket any more. Whatever else goes wrong is logged and
    answered.
    """
    asked = Asked.of(said)
    number, fields = asked.number, asked.fields
    if fields is None:
        return {"n": number, "status": HTTPStatus.BAD_REQUEST}
    user, now = scope["user"], timezone.now()
    if not user.is_authenticated:
        return {"n": number, "post": True}  # which leads to signing in, and back
    if not scope["allow_post"]():
        return {"n": number, "status": HTTPStatus.TOO_MANY_REQUESTS}
    with translation.override(language):
        try:
            # Sockets are closed when a session ends, but that message may be late or lost.
            if not signed_in.is_still(scope, now=now):
                raise SignedOut
            if 1000 * now.timestamp() - asked.at > LATEST_MS:
                move_log.refused(code, MOVE_ACTION.name, "stale")
                return {"n": number, "notice": words.reason("stale", {})}
            # A move opens no table, and nothing in it has a limit of its own.
            actor = Actor(user, holder=str, allows=lambda action: False)
            return {"n": number} | _said(act(actor, code, MOVE_ACTION, fields, now=now), code)
        except SignedOut:
            raise
        except Exception as error:
            logger.exception("move over a socket failed")
            busy = outage_handling.is_outage(error)
            status = HTTPStatus.SERVICE_UNAVAILABLE if busy else HTTPStatus.INTERNAL_SERVER_ERROR
            return {"n": number, "status": status}


def _said(outcome: Outcome, code: str) -> dict[str, Any]:
    match outcome:
        case NotDone(reason=reason, details=details, kind_key=kind_key):
            return {"notice": words.reason(reason, details, kind_key=kind_key or None)}
        case Done(leaves=True):
            return {"go": reverse("games:home")}
        case Done(goes_to=str(there)) if there != code:
            return {"go": reverse("games:table", args=[there])}
        case Done(seq=seq):
            return {"seq": seq}
    return {"status": HTTPStatus.NOT_FOUND}


def written(answered: dict[str, Any]) -> str:
    """The answer as a message."""
    return json.dumps(answered, ensure_ascii=False, separators=(",", ":"))
