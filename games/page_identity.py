"""For whom a page was made: a tag of its session, which the page sends along when it asks for more.

A page is made for one session. After somebody has signed in or out in another tab, or chosen a new
password there, the same browser asks with another session, and the page would show one person's
seat beside another's controls. The tag is no credential: it is a keyed hash.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import salted_hmac

from accounts.requests import AnyUser

_LENGTH = 16


def of(user: AnyUser, session: SessionBase) -> str:
    """The tag of a request's user and session; "" for a visitor who is not signed in."""
    if not user.is_authenticated:
        return ""
    return tag(session.session_key, user.pk)


def tag(session_key: str | None, user_id: int) -> str:
    """The tag of a session of this user."""
    return salted_hmac("page", f"{session_key} {user_id}").hexdigest()[:_LENGTH]


def person(user: AnyUser) -> str:
    """The tag of a person, the same in every session; "" for a visitor."""
    return tag("", user.pk) if user.is_authenticated else ""


def is_another(asked: Sequence[str] | None, user: AnyUser, session: SessionBase) -> bool:
    """Whether a page asks that was made for another session; `asked` are the tags it sent.

    None or none at all is from a page of an older version, which sends no tag.
    """
    return bool(asked and asked[0] != of(user, session))
