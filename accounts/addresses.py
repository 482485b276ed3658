"""Email addresses: claims, confirmations, and the links that confirm an address.

Anyone can claim any address, so a claim alone cannot be used to sign in, and emails are sent only
if the address leads to one account. A confirmed address belongs to one account; a constraint of
allauth's table ensures it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.core.signing import BadSignature, TimestampSigner
from django.db import IntegrityError, transaction

if TYPE_CHECKING:
    from accounts.models import User


# How long a confirmation link is valid.
LINK_LASTS: Final = timedelta(days=3)


def claimants(email: str) -> list[tuple[User, str, bool]]:
    """Return the active accounts that claim an address: (user, stored address, confirmed).

    Emails go to the stored address. Databases differ in how they ignore case (PostgreSQL finds “ı”
    for “I”), so rows that they find may hold the address of somebody else; these are left out.
    """
    wanted = email.casefold()
    found: dict[int, tuple[User, str, bool]] = {}
    for user in get_user_model().objects.filter(is_active=True, email__iexact=email):
        if user.email.casefold() == wanted:
            found[user.pk] = (user, user.email, False)
    rows = EmailAddress.objects.filter(email__iexact=email, user__is_active=True)
    for row in rows.select_related("user"):
        if row.email.casefold() == wanted:
            found[row.user.pk] = (row.user, row.email, row.verified)
    return [*found.values()]


def owner(email: str) -> tuple[User, str] | None:
    """Return the account that an address belongs to, and the stored address; None if none or many.

    It is the account that has confirmed the address, or else the only one that claims it. Anyone
    can claim any address when signing up: if all claimants got an email, one request would send
    many.
    """
    claims = claimants(email)
    confirmed = [claim for claim in claims if claim[2]]
    match confirmed or claims:
        case [(user, address, _confirmed)]:
            return user, address
    return None


def confirmed_by(email: str) -> User | None:
    """The account that has confirmed this address, active or not; None if none has."""
    rows = EmailAddress.objects.filter(email=email.strip().lower(), verified=True)
    row = rows.select_related("user").first()
    return None if row is None else row.user


def confirmed(person: User) -> str:
    """The address that this account has confirmed; "" if none."""
    rows = EmailAddress.objects.filter(user=person, email=person.email.lower(), verified=True)
    return rows.values_list("email", flat=True).first() or ""


def signs_in(login: str) -> User | None:
    """Find the account for what a user types to sign in: a name or a confirmed address.

    Return None if there is none. No name contains an @.
    """
    return confirmed_by(login) if "@" in login else get_user_model().named(login)


def confirm(person: User) -> bool:
    """Mark the account's address as confirmed, after a reader of its mail has used a link.

    Return False if the account has another address by now, or another account has confirmed this
    one.
    """
    email = person.email.lower()
    this = get_user_model().objects.filter(pk=person.pk, email=person.email)
    try:
        with transaction.atomic():
            # Lock the row of the account first, as changing the address does.
            if not email or not this.update(email=email):
                return False
            EmailAddress.objects.get_or_create(user=person, email=email, defaults={"primary": True})
            EmailAddress.objects.filter(user=person, email=email).update(verified=True)
    except IntegrityError:
        return False
    person.email = email
    return True


def key(person: User) -> str:
    """Return the key of a confirmation link; it is void once the account has another address."""
    return _signer(person).sign(str(person.pk))


def person_of(key: str) -> User | None:
    """Return the account of a confirmation link's key; None if the key is expired or invalid."""
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


def _signer(person: User) -> TimestampSigner:
    return TimestampSigner(sep=".", salt=f"confirm {person.email.lower()} of {person.pk}")
