"""Browsers in which an account has been signed in; strangers' wrong passwords don't count there.

Otherwise anyone could lock out the owner of a public name by guessing passwords. A cookie
identifies the browser. It has one token per account, signed with a key that contains the password
hash, so that a new password voids all earlier tokens.
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from accounts import addresses, names
from accounts.models import User

LASTS: Final = timedelta(days=365)
ACCOUNTS: Final = 5  # per browser; the account that signed in longest ago is dropped
_SEPARATOR: Final = "|"
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


def known_as(request: HttpRequest, person: User) -> str:
    """Return this browser's identity for this account; "" if the browser is not known."""
    for token in _tokens(request):
        try:
            return _signer(person).unsign(token, max_age=LASTS)
        except BadSignature:
            continue
    return ""


def known_owner(request: HttpRequest, typed: str) -> tuple[User, str] | None:
    """Return the account of a typed name or address, and this browser's identity for it.

    Return None if the browser is not known for that account. The query looks up the accounts in the
    cookie, never the typed text: neither the result nor its time reveals whether such an account
    exists.
    """
    owners = [token.partition("-")[0] for token in _tokens(request)]
    found = User.objects.filter(pk__in=[int(each) for each in owners if _NUMBER.fullmatch(each)])
    for person in found.order_by("pk"):
        if _is_of(person, typed) and (identity := known_as(request, person)):
            return person, identity
    return None


def _is_of(person: User, typed: str) -> bool:
    """Whether this is the person's name or confirmed address; anyone can claim another address."""
    if "@" in typed:
        return person.email.lower() == typed.strip().lower() and bool(addresses.confirmed(person))
    return len(typed) <= names.LONGEST_TYPED and names.key(typed) == names.key(person.username)


def remember(request: HttpRequest, response: HttpResponseBase, person: User) -> None:
    """Make this browser known for an account with a password, after it has proved to own it.

    Call it after a password change too. A browser that was known keeps its identity.
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
