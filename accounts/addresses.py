"""E-mail addresses: who claims one, who has confirmed it, and the links that confirm one.

Anybody can claim any address, so a claim alone never signs in, and letters go only where one
account is meant. A confirmed address belongs to one account; allauth's table guards that.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, TimestampSigner
from django.db import IntegrityError, transaction

# How long the link in a letter confirms.
LINK_LASTS: Final = timedelta(days=3)


def claimants(email: str) -> list[tuple[Any, str, bool]]:
    """The active accounts that claim an address: (user, the address as stored, confirmed).

    Letters go to the address as stored. Databases compare without case in ways of their own
    (PostgreSQL finds “ı” for “I”), so that theirs may be an address of somebody else.
    """
    wanted = email.casefold()
    found: dict[int, tuple[Any, str, bool]] = {}
    for user in get_user_model().objects.filter(is_active=True, email__iexact=email):
        if user.email.casefold() == wanted:
            found[user.pk] = (user, user.email, False)
    rows = EmailAddress.objects.filter(email__iexact=email, user__is_active=True)
    for row in rows.select_related("user"):
        if row.email.casefold() == wanted:
            found[row.user.pk] = (row.user, row.email, row.verified)
    return [*found.values()]


def owner(email: str) -> tuple[Any, str] | None:
    """The account to which an address belongs, and the address as stored; None if to no single one.

    That is the one that has confirmed it, else the only one that claims it. Anybody can claim any
    address when signing up: were all of them written to, one request would send many letters.
    """
    claims = claimants(email)
    confirmed = [claim for claim in claims if claim[2]]
    match confirmed or claims:
        case [(user, address, _confirmed)]:
            return user, address
    return None


def confirmed_by(email: str) -> Any:
    """The account that has confirmed this address, active or not; None if none has."""
    rows = EmailAddress.objects.filter(email=email.strip().lower(), verified=True)
    row = rows.select_related("user").first()
    return row and row.user


def confirmed(person: Any) -> str:
    """The address that this account has confirmed; "" if none."""
    rows = EmailAddress.objects.filter(user=person, email=person.email.lower(), verified=True)
    return rows.values_list("email", flat=True).first() or ""


def signs_in(login: str) -> Any:
    """The account meant by what somebody types to sign in: a name or a confirmed address.

    None for any other. No name contains an @.
    """
    return confirmed_by(login) if "@" in login else get_user_model().named(login)


def confirm(person: Any) -> bool:
    """Somebody who reads the letters to this account's address has used a link from one.

    False where the account has another address by now, or another account has confirmed this one.
    """
    email = person.email.lower()
    this = get_user_model().objects.filter(pk=person.pk, email=person.email)
    try:
        with transaction.atomic():
            # Locks the row of the account first, as changing the address does.
            if not email or not this.update(email=email):
                return False
            EmailAddress.objects.get_or_create(user=person, email=email, defaults={"primary": True})
            EmailAddress.objects.filter(user=person, email=email).update(verified=True)
    except IntegrityError:
        return False
    person.email = email
    return True


def key(person: Any) -> str:
    """What the link in a letter ends with; void when the account has another address."""
    return _signer(person).sign(person.pk)


def person_of(key: str) -> Any:
    """The account whose address a link confirms; None for a link that is too old or none."""
    number = key.partition(".")[0]
    people = get_user_model().objects.filter(is_active=True)
    person = people.filter(pk=number).first() if number.isdecimal() and len(number) < 19 else None
    if person is None or not person.email:
        return None
    try:
        _signer(person).unsign(key, max_age=LINK_LASTS)
    except BadSignature:
        return None
    return person


def _signer(person: Any) -> TimestampSigner:
    return TimestampSigner(sep=".", salt=f"confirm {person.email.lower()} of {person.pk}")
