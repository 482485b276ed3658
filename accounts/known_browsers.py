"""Browsers in which an account has been signed in: a stranger's wrong passwords do not count there.

Otherwise anybody could keep the owner of a public name out by guessing. A browser is known by a
cookie: for each account a token, signed with a key that contains the hash of the password, so that
a new password voids all tokens of before.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from accounts.models import User

LASTS: Final = timedelta(days=365)
ACCOUNTS: Final = 5  # in one browser; the one that was signed in longest ago is forgotten
_SEPARATOR: Final = "|"


def known_as(request: HttpRequest, person: User) -> str:
    """What identifies this browser for this account; "" when it is not known."""
    for token in _tokens(request):
        try:
            return _signer(person).unsign(token, max_age=LASTS)
        except BadSignature:
            continue
    return ""


def remember(request: HttpRequest, response: HttpResponseBase, person: User) -> None:
    """Let this browser be known for an account with a password, which it has just proved to own.

    Call it after a new password too. A browser that was known keeps its identity.
    """
    if not person.has_usable_password():
        return
    identity = known_as(request, person) or f"{person.pk}-{secrets.token_urlsafe(12)}"
    others = [token for token in _tokens(request) if not token.startswith(f"{person.pk}-")]
    tokens = [_signer(person).sign(identity), *others][:ACCOUNTS]
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        _SEPARATOR.join(tokens),
        max_age=LASTS,
        path=reverse("account"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _tokens(request: HttpRequest) -> list[str]:
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, "")
    return [token for token in cookie.split(_SEPARATOR)[:ACCOUNTS] if token]


def _signer(person: User) -> TimestampSigner:
    return TimestampSigner(salt=f"known browser of {person.pk} {person.password}")
