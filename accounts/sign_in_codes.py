"""Emailed codes: six digits that replace a forgotten password, in the browser that asked.

The row is the same whether the account exists or not, so that the response reveals nothing. The
digits are derived from the row, the account and SECRET_KEY, and never stored. A code is valid only
once its email is sent (`give`), so the daily limit of emails limits the codes that can be guessed.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.digits import ascii_digits

VALID: Final = timedelta(minutes=20)  # after the request
TRIES: Final = 5


class SignInCode(models.Model):
    key = models.CharField(max_length=43, unique=True)  # kept in the session that asked
    login = models.CharField(max_length=254)  # as it was typed: a name or an address
    asked_at = models.DateTimeField(db_index=True)
    # The account that it signs in; set when the email is sent.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"code {self.pk}"


def ask(login: str, *, now: datetime) -> SignInCode:
    """Create a code for a typed login; its key belongs only in the session that asks."""
    return SignInCode.objects.create(key=secrets.token_urlsafe(32), login=login, asked_at=now)


def give(code: SignInCode, *, now: datetime) -> bool:
    """Make the code valid for `code.user` as its email is sent; return False if it has expired."""
    rows = SignInCode.objects.filter(pk=code.pk, asked_at__gt=now - VALID)
    return rows.update(user=code.user) == 1


def digits(code: SignInCode, person: Any) -> str:
    """Return the six digits of a code for this account; a new password changes them."""
    text = f"{code.key} {person.pk} {person.password}"
    mac = salted_hmac("accounts.sign_in_codes", text, algorithm="sha256").digest()
    return f"{int.from_bytes(mac[:8]) % 1_000_000:06}"


def waiting(key: str, *, now: datetime) -> SignInCode | None:
    """Return the code that this browser may still enter; None if expired or tried too often."""
    return SignInCode.objects.filter(key=key, asked_at__gt=now - VALID, tries__lt=TRIES).first()


def use(key: str, typed: str, *, now: datetime) -> Any:
    """Use up a code and return its account; None if the digits are wrong. Every try counts."""
    rows = SignInCode.objects.filter(key=key, asked_at__gt=now - VALID)
    if not rows.filter(tries__lt=TRIES).update(tries=F("tries") + 1):
        return None
    code = rows.select_related("user").first()
    if code is None or code.user is None:
        return None
    given = "".join(filter(str.isalnum, ascii_digits(typed)))
    if not constant_time_compare(given, digits(code, code.user)):
        return None
    return code.user if rows.delete()[0] else None


def forget(person: Any) -> None:
    """Delete the codes of an account whose address has changed, or that is deleted."""
    SignInCode.objects.filter(user=person).delete()


def sweep(now: datetime) -> int:
    """Delete the expired codes; return how many."""
    return SignInCode.objects.filter(asked_at__lt=now - VALID).delete()[0]
