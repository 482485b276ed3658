"""The life of an account: guest, full account, e-mail address, suspension, deletion."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import addresses, held_names, outbox, sign_in_codes, two_factor
from accounts.free_names import free_name
from accounts.models import User

ANIMALS = (
    "Alpaca Armadillo Capybara Caracara Chinchilla Condor Coati Flamingo Guanaco Hornero Iguana "
    "Jabiru Jaguar Llama Macaw Manatee Ocelot Otter Pelican Puma Quetzal Tapir Toucan Vicuna"
).split()


def guest(name: str = "") -> User:
    """Someone who plays at once, without a password.

    They have the valid `name` they chose, or a friendly one such as Toucan-4821. ValidationError
    where somebody else has taken that name a moment ago.
    """
    if name:
        try:
            with transaction.atomic():
                return User.objects.create_user(name, is_guest=True)
        except IntegrityError:
            return User.objects.create_user(free_name(name), is_guest=True)
    for _attempt in range(20):
        try:
            with transaction.atomic():
                return User.objects.create_user(free_name(_friendly_name()), is_guest=True)
        except (IntegrityError, ValidationError):
            continue  # taken: draw another
    return User.objects.create_user(f"Guest-{secrets.token_hex(6)}", is_guest=True)


def proposed_name() -> str:
    """A friendly name that nobody has at present, for a form that asks for one; "" if none came."""
    for _attempt in range(3):
        with suppress(ValidationError):
            return free_name(_friendly_name())
    return ""


def _friendly_name() -> str:
    return f"{secrets.choice(ANIMALS)}-{secrets.randbelow(9000) + 1000}"


def change_email(person: User, email: str, *, site: str = "", now: datetime) -> None:
    """One address or none (""); it serves to sign in and to reset the password, and is shown to
    nobody.

    It is sent a link that confirms it. The address before it is told, if it is this account's
    alone; `site` is the origin of the request, for the links in these letters.
    """
    email = email.lower()
    before = person.email.lower()
    if email == before:
        return
    # Before the transaction: it reads all accounts, and SQLite would keep others from writing.
    owner = addresses.owner(before) if before else None
    with transaction.atomic():
        person.email = email
        # First, as it locks the row: see addresses.confirm.
        person.save(update_fields=["email"])
        EmailAddress.objects.filter(user=person).delete()
        sign_in_codes.forget(person)
        if email:
            EmailAddress.objects.create(user=person, email=email, primary=True)
            ask_to_confirm(person, site=site, now=now)
        if owner is not None and owner[0].pk == person.pk:
            kind = outbox.Letter.Kind.EMAIL_CHANGED
            outbox.put(kind, email=owner[1], user_id=person.pk, site=site, now=now)


def ask_to_confirm(person: User, *, site: str, now: datetime) -> None:
    """Send the account's address a link that confirms it; nothing on a site without mail."""
    if outbox.has_mail():
        kind = outbox.Letter.Kind.CONFIRM
        outbox.put(kind, email=person.email, user_id=person.pk, site=site, now=now)


def keep(
    person: User, *, name: str, password: str, email: str = "", site: str = "", now: datetime
) -> None:
    """Turn a guest into a full account, in the same row, so that the games played are kept."""
    with transaction.atomic():
        person.username = name
        person.is_guest = False
        person.set_password(password)
        person.save(update_fields=[*User.NAME_COLUMNS, "is_guest", "password"])
        change_email(person, email, site=site, now=now)


def ban(person: User) -> bool:
    """Suspend the account: its sessions count as signed out. False if it was suspended already.

    The sessions are not deleted: a cookie is all that a guest can return with once the suspension
    is lifted.
    """
    return User.objects.filter(pk=person.pk, is_active=True).update(is_active=False) > 0


def lift_ban(person: User) -> bool:
    """Lift the suspension; False if there was none, or if the account is deleted."""
    if person.is_deleted:
        return False
    return User.objects.filter(pk=person.pk, is_active=False).update(is_active=True) > 0


def forget(person: User) -> None:
    """Take away everything that says who this was; the row stays for the games that name it.

    The new unusable password changes what sessions are signed with, so every session of this
    person, on any device, ends at its next request. Nobody can take the name for some weeks.
    """
    with transaction.atomic():
        outbox.Letter.objects.filter(user=person).delete()
        two_factor.take_away(person)
        person.groups.clear()
        person.user_permissions.clear()
        if not person.is_deleted:
            held_names.hold(person.username)
        person.username = f"deleted-{person.pk}"
        person.first_name = person.last_name = person.email = ""
        person.language = person.theme = person.animal = person.cloth = ""
        person.lends_decisions = False
        person.is_active = person.is_staff = person.is_superuser = person.is_guest = False
        person.last_login = person.visit_began_at = person.visit_before_at = None
        person.set_unusable_password()
        person.save()
        # Only now that the row is locked: see addresses.confirm.
        EmailAddress.objects.filter(user=person).delete()
        sign_in_codes.forget(person)
        LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(User), object_id=str(person.pk)
        ).update(object_repr=person.username)
