"""Page identity: a tag of the session a page was made for, which it sends with later requests.

After a sign-in, sign-out or password change in another tab, the browser sends requests with another
session. Without this check, a page could show one person's seat with another's controls. The tag is
a keyed hash, not a credential.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import salted_hmac

from accounts.requests import AnyUser

_LENGTH = 16


def of(user: AnyUser, session: SessionBase) -> str:
    """Return the tag of a request's user and session; "" for anonymous visitors."""
    if not user.is_authenticated:
        return ""
    return tag(session.session_key, user.pk)


def tag(session_key: str | None, user_id: int) -> str:
    """Return the tag of a session of this user."""
    return salted_hmac("page", f"{session_key} {user_id}").hexdigest()[:_LENGTH]


def person(user: AnyUser) -> str:
    """Return the tag of a user, the same in every session; "" for anonymous visitors."""
    return tag("", user.pk) if user.is_authenticated else ""


def is_another(asked: Sequence[str] | None, user: AnyUser, session: SessionBase) -> bool:
    """Whether a request comes from a page made for another session; `asked` are its tags.

    Pages of older versions send no tag; for them `asked` is None or empty.
    """
    return bool(asked and asked[0] != of(user, session))
