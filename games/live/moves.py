"""Moves over the socket of a page, executed by `act` like a POST, with a short JSON answer.

A page sends MOVE followed by its urlencoded form with three more fields: `n`, which the answer
repeats; `at`, when the button was pressed, in server time; and `wait`, how long the page waits for
an answer. Both times are in milliseconds. The answer is one of

    {"n": 3, "seq": 17}         done and stored; the table is now at 17
    {"n": 3, "go": "/games/…"}  done; the page navigates to this address
    {"n": 3, "notice": "…"}     refused, with the reason in the reader's language; nothing changed
    {"n": 3, "status": 503}     not done, for the reason that this HTTP status means
    {"n": 3, "post": true}      not tried; the page posts its form instead

A page that gets no answer in time closes the socket and reads the state. Its message may still be
in a network buffer, so a move that arrives later than that is refused as stale.
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
from games.live import outage_handling, signed_in
from games.play import move_log
from games.table.act import Actor, act
from games.table.at_a_table import MOVE as MOVE_ACTION
from games.table.results import Done, NotDone, Result

MOVE: Final = "move "
# Pages wait for four seconds, or longer on a slow connection (moves.js). Their estimate of the
# server's clock is behind it, never ahead.
LATEST_MS: Final = 5_000
SPARE_MS: Final = 1_000
MOST_MS: Final = 31_000
_NUMBER: Final = re.compile("[0-9]{1,15}")

_in_hand = 0
_is_stopping = False
logger = logging.getLogger(__name__)


class SignedOut(Exception):
    """The session of this socket has ended, or its user may not act any more."""


def are_in_hand() -> bool:
    """Whether any move received over a socket is still unanswered."""
    return _in_hand > 0


def stop() -> None:
    """Try no more moves, since this process is about to stop.

    Moves in progress are answered before sockets are closed. A move whose socket closes without an
    answer has therefore not been tried.
    """
    global _is_stopping
    _is_stopping = True


def are_stopped() -> bool:
    """Whether this process tries no more moves."""
    return _is_stopping


@contextmanager
def in_hand() -> Iterator[None]:
    """Make the shutdown wait for the code in this block."""
    global _in_hand
    _in_hand += 1
    try:
        yield
    finally:
        _in_hand -= 1


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A parsed request of a page: its number, time and form; the form is None if malformed."""

    number: int | None = None
    at: int = 0  # milliseconds since 1970
    latest: int = LATEST_MS  # how long after that it is still tried
    fields: QueryDict | None = field(default=None, repr=False)

    @classmethod
    def of(cls, said: str) -> MoveRequest:
        """Parse a message that begins with MOVE."""
        try:
            fields = QueryDict(said.removeprefix(MOVE), encoding="utf-8")
            number, at, wait = (fields.get(name, "") for name in ("n", "at", "wait"))
        except SuspiciousOperation:  # too many fields
            return cls()
        if not all(_NUMBER.fullmatch(each) for each in (number, at)):
            return cls()
        waits = int(wait) if _NUMBER.fullmatch(wait) else 0  # older pages do not send it
        return cls(int(number), int(at), min(max(LATEST_MS, waits + SPARE_MS), MOST_MS), fields)


def without_trying(request: MoveRequest, scope: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to a move that must not be tried; None: count it and try it."""
    if request.fields is None:
        return {"n": request.number, "status": HTTPStatus.BAD_REQUEST}
    if are_stopped() or not scope["user"].is_authenticated:
        return not_tried(request)  # a POST leads to signing in, and back
    if not scope["allow_post"]():
        return {"n": request.number, "status": HTTPStatus.TOO_MANY_REQUESTS}
    return None


def not_tried(request: MoveRequest) -> dict[str, object]:
    """Return the answer for a move that was not tried: the page posts its form instead."""
    return {"n": request.number, "post": True}


@sensitive_variables()
def answer(
    request: MoveRequest, code: str, scope: dict[str, Any], *, language: str
) -> dict[str, Any]:
    """Make the requested move at the table `code`, and return the answer.

    Raises SignedOut if nobody may act through this socket any more. Other errors are logged and
    answered.
    """
    number, fields = request.number, request.fields or QueryDict()
    user, now = scope["user"], timezone.now()
    with translation.override(language):
        try:
            # Sockets are closed when a session ends, but the message for that may be late or lost.
            if not signed_in.is_still(scope, now=now):
                raise SignedOut
            if 1000 * now.timestamp() - request.at > request.latest:
                move_log.refused(code, MOVE_ACTION.name, "stale")
                return {"n": number, "notice": words.reason("stale", {})}
            # A move opens no table, and none of its actions has a rate limit.
            actor = Actor(user, holder=str, home=str, allows=lambda action: False)
            return {"n": number} | _said(act(actor, code, MOVE_ACTION, fields, now=now), code)
        except SignedOut:
            raise
        except Exception as error:
            logger.exception("move over a socket failed")
            busy = outage_handling.is_outage(error)
            status = HTTPStatus.SERVICE_UNAVAILABLE if busy else HTTPStatus.INTERNAL_SERVER_ERROR
            return {"n": number, "status": status}


def _said(result: Result, code: str) -> dict[str, object]:
    match result:
        case NotDone(reason=reason, details=details, kind_key=kind_key):
            return {"notice": words.reason(reason, details, kind_key=kind_key or None)}
        case Done(leaves=True):
            return {"go": reverse("games:home")}
        case Done(goes_to=str(there)) if there != code:
            return {"go": reverse("games:table", args=[there])}
        case Done(seq=seq):
            return {"seq": seq}
    return {"status": HTTPStatus.NOT_FOUND}


def written(answered: dict[str, object]) -> str:
    """Serialise an answer as JSON."""
    return json.dumps(answered, ensure_ascii=False, separators=(",", ":"))
