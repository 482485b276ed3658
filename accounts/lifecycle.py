"""Account lifecycle: guest, full account, email address, suspension, deletion."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import addresses, guest_names, held_names, outbox, sign_in_codes, two_factor
from accounts.free_names import free_name
from accounts.models import Letter, User

ANIMALS = (
    "Alpaca Armadillo Capybara Caracara Chinchilla Condor Coati Flamingo Guanaco Hornero Iguana "
    "Jabiru Jaguar Llama Macaw Manatee Ocelot Otter Pelican Puma Quetzal Tapir Toucan Vicuna"
).split()


def guest(name: str = "") -> User:
    """Create a guest, who plays at once and without a password.

    The guest gets the valid `name` they chose, or a random one such as Toucan. Raise
    ValidationError if an account has just taken the chosen name.
    """
    called = free_name(name) if name else proposed_name() or f"Guest-{secrets.token_hex(6)}"
    try:
        with transaction.atomic():
            return User.objects.create_user(guest_names.stored(called), is_guest=True)
    except IntegrityError:  # another user was faster
        called = free_name(name) if name else called
        return User.objects.create_user(guest_names.marked(called), is_guest=True)


def proposed_name(others: Collection[str] = ()) -> str:
    """Return the name of a random animal; "" if no free name was found.

    The name gets a number if accounts or `others`, the names at the same table, have all the
    animals that were drawn.
    """
    drawn = secrets.SystemRandom().sample(ANIMALS, min(3, len(ANIMALS)))
    for animal in drawn:
        with suppress(ValidationError):
            name = free_name(animal)
            if not any(guest_names.are_alike(name, other) for other in others):
                return name
    return guest_names.numbered(drawn[0], others)


def change_email(person: User, email: str, *, site: str = "", now: datetime) -> None:
    """Set or remove ("") the email address, which serves to sign in and to reset the password.

    The address is never shown. The new address gets a confirmation link. The previous one gets a
    notice if it belongs to this account alone. `site` is the origin of the request, for the links
    in these emails.
    """
    email = email.lower()
    before = person.email.lower()
    if email == before:
        return
    # Before the transaction: this reads all accounts, and SQLite would block other writers.
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
            kind = Letter.Kind.EMAIL_CHANGED
            outbox.put(kind, email=owner[1], user_id=person.pk, site=site, now=now)


def ask_to_confirm(person: User, *, site: str, now: datetime) -> None:
    """Send the account's address a confirmation link; do nothing on a site without mail."""
    if outbox.has_mail():
        kind = Letter.Kind.CONFIRM
        outbox.put(kind, email=person.email, user_id=person.pk, site=site, now=now)


def keep(
    person: User, *, name: str, password: str, email: str = "", site: str = "", now: datetime
) -> None:
    """Turn a guest into a full account, in the same row, so that the games played are kept."""
    with transaction.atomic():
        guest_names.make_room(name, person=person)
        person.username = name
        person.is_guest = False
        person.set_password(password)
        person.save(update_fields=[*User.NAME_COLUMNS, "is_guest", "password"])
        change_email(person, email, site=site, now=now)


def ban(person: User) -> bool:
    """Suspend the account: its sessions count as signed out. False if it was suspended already.

    The sessions are not deleted: once the suspension is lifted, a guest can return only by their
    session cookie.
    """
    return User.objects.filter(pk=person.pk, is_active=True).update(is_active=False) > 0


def lift_ban(person: User) -> bool:
    """Lift the suspension; False if there was none, or if the account is deleted."""
    if person.is_deleted:
        return False
    return User.objects.filter(pk=person.pk, is_active=False).update(is_active=True) > 0


def forget(person: User) -> None:
    """Erase the personal data of an account; the row stays for the games that refer to it.

    The new unusable password changes the key that sessions are signed with, so every session of
    this person, on any device, ends at its next request. An account's name is held for some weeks.
    """
    with transaction.atomic():
        Letter.objects.filter(user=person).delete()
        two_factor.take_away(person)
        person.groups.clear()
        person.user_permissions.clear()
        if not person.is_deleted and not person.is_guest:
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
