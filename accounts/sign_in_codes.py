"""Codes by mail: six digits instead of a forgotten password, for the browser that asked.

The row is the same whether an account was meant or not, so that the answer tells nothing. The
digits follow from the row, the account and SECRET_KEY and are stored nowhere. Only a letter that is
sent makes a code valid (`give`): there are no more to guess than a mailbox gets letters a day.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.crypto import constant_time_compare, salted_hmac

VALID: Final = timedelta(minutes=20)  # from when it was asked for
TRIES: Final = 5


class SignInCode(models.Model):
    key = models.CharField(max_length=43, unique=True)  # in the session of the browser that asked
    login = models.CharField(max_length=254)  # as it was typed: a name or an address
    asked_at = models.DateTimeField(db_index=True)
    # Whom it signs in: known when the letter is sent.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"code {self.pk}"


def ask(login: str, *, now: datetime) -> SignInCode:
    """A new code for whoever is meant; its key goes into the session that asks, nowhere else."""
    return SignInCode.objects.create(key=secrets.token_urlsafe(32), login=login, asked_at=now)


def give(code: SignInCode, *, now: datetime) -> bool:
    """Let the code sign `code.user` in, now that its letter is sent; False when it is too late."""
    rows = SignInCode.objects.filter(pk=code.pk, asked_at__gt=now - VALID)
    return rows.update(user=code.user) == 1


def digits(code: SignInCode, person: Any) -> str:
    """Six digits; others after a new password."""
    text = f"{code.key} {person.pk} {person.password}"
    mac = salted_hmac("accounts.sign_in_codes", text, algorithm="sha256").digest()
    return f"{int.from_bytes(mac[:8]) % 1_000_000:06}"


def waiting(key: str, *, now: datetime) -> SignInCode | None:
    """The code that this browser may still enter; None when it is too old or tried too often."""
    return SignInCode.objects.filter(key=key, asked_at__gt=now - VALID, tries__lt=TRIES).first()


def use(key: str, typed: str, *, now: datetime) -> Any:
    """The account that these digits sign in, once; None where they are wrong, which counts."""
    rows = SignInCode.objects.filter(key=key, asked_at__gt=now - VALID)
    if not rows.filter(tries__lt=TRIES).update(tries=F("tries") + 1):
        return None
    code = rows.select_related("user").first()
    if code is None or code.user is None:
        return None
    given = "".join(filter(str.isalnum, typed))
    if not constant_time_compare(given, digits(code, code.user)):
        return None
    return code.user if rows.delete()[0] else None


def forget(person: Any) -> None:
    """End the codes of this account: its address is another one now, or it is deleted."""
    SignInCode.objects.filter(user=person).delete()


def sweep(now: datetime) -> int:
    """Delete the codes that are too old; returns how many."""
    return SignInCode.objects.filter(asked_at__lt=now - VALID).delete()[0]
