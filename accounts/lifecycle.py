"""The life of an account: guest, full account, e-mail address, suspension, deletion."""

from __future__ import annotations

import secrets
from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts import held_names, names, outbox, second_step
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
        name = f"{secrets.choice(ANIMALS)}-{secrets.randbelow(9000) + 1000}"
        try:
            with transaction.atomic():
                return User.objects.create_user(free_name(name), is_guest=True)
        except (IntegrityError, ValidationError):
            continue  # taken: draw another
    return User.objects.create_user(f"Guest-{secrets.token_hex(6)}", is_guest=True)


def free_name(name: str, *, person: User | None = None) -> str:
    """The tidied name when `person` may carry it; raises ValidationError with the reason if not."""
    name = names.tidy(name)
    for check in names.validators:
        check(name)
    alike = User.confusable_with(name)
    if person is not None and person.pk is not None:
        alike = alike.exclude(pk=person.pk)
    if alike.filter(name_key__in=names.keys(name)).exists():
        raise ValidationError(_("This name is taken. Please choose another."), code="name_taken")
    if alike.exists():
        raise ValidationError(
            _("This name looks too much like another player's. Please choose another."),
            code="name_confusable",
        )
    if held_names.is_held(name) and not _is_like_own(name, person):
        raise ValidationError(_("This name is taken. Please choose another."), code="name_taken")
    return name


def _is_like_own(name: str, person: User | None) -> bool:
    """Whether the person is known by such a name already, and may write it in another way."""
    if person is None or person.pk is None:
        return False
    return bool(names.skeletons(name) & names.skeletons(person.username))


def change_email(person: User, email: str, *, site: str = "", now: datetime) -> None:
    """One address or none (""); it serves to reset the password and is shown to nobody.

    The address before it is told, if it is this account's alone; `site` is the origin of the
    request, for the link in that letter.
    """
    email = email.lower()
    before = person.email.lower()
    if email == before:
        return
    # Before the transaction: it reads all accounts, and SQLite would keep others from writing.
    owner = outbox.owner(before) if before else None
    with transaction.atomic():
        EmailAddress.objects.filter(user=person).delete()
        if email:
            EmailAddress.objects.create(user=person, email=email, primary=True)
        person.email = email
        person.save(update_fields=["email"])
        if owner is not None and owner[0].pk == person.pk:
            kind = outbox.Letter.Kind.EMAIL_CHANGED
            outbox.put(kind, email=owner[1], user_id=person.pk, site=site, now=now)


def confirm_email(person: User) -> None:
    """Somebody who reads the letters to this account's address has used a link from one."""
    rows = list(EmailAddress.objects.filter(user=person))
    if len(rows) == 1 and rows[0].email == person.email.lower() and rows[0].can_set_verified():
        EmailAddress.objects.filter(pk=rows[0].pk).update(verified=True)


def keep(person: User, *, name: str, password: str, email: str = "", now: datetime) -> None:
    """Turn a guest into a full account, in the same row, so that the games played are kept."""
    with transaction.atomic():
        person.username = name
        person.is_guest = False
        person.set_password(password)
        person.save(update_fields=[*User.NAME_COLUMNS, "is_guest", "password"])
        change_email(person, email, now=now)


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
        EmailAddress.objects.filter(user=person).delete()
        outbox.Letter.objects.filter(user=person).delete()
        second_step.take_away(person)
        person.groups.clear()
        person.user_permissions.clear()
        if not person.is_deleted:
            held_names.hold(person.username)
        person.username = f"deleted-{person.pk}"
        person.first_name = person.last_name = person.email = ""
        person.language = person.theme = person.animal = person.cloth = ""
        person.is_active = person.is_staff = person.is_superuser = person.is_guest = False
        person.last_login = None
        person.set_unusable_password()
        person.save()
        LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(User), object_id=str(person.pk)
        ).update(object_repr=person.username)
