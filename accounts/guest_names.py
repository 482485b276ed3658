"""Names of guests, which are unique only at a table; names of accounts are unique on the site.

Each user's row still needs a unique `username`. If another guest already has the name, the stored
name gets a mark and random characters, which are never shown: “Anna” and “Anna~k3x9pw”.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import free_names, names
from accounts.models import User

_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def stored(name: str, *, person: User | None = None) -> str:
    """Return the `username` to store for a guest with this name."""
    alike = User.confusable_with(name)
    if person is not None:
        alike = alike.exclude(pk=person.pk)
    return marked(name) if alike.exists() else name


def marked(name: str) -> str:
    signs = "".join(secrets.choice(_LETTERS) for _ in range(names.LONGEST_MARK - 1))
    return f"{name}{names.MARK}{signs}"


def rename(person: User, name: str) -> None:
    """Give a guest this name, and save it."""
    person.username = stored(name, person=person)
    person.save(update_fields=User.NAME_COLUMNS)


def make_room(name: str, *, person: User | None = None) -> None:
    """Free this name for an account: guests who have it get a mark, and look as before."""
    guests = User.confusable_with(name).filter(is_guest=True)
    with transaction.atomic():
        for guest in guests if person is None else guests.exclude(pk=person.pk):
            guest.username = marked(guest.shown_name)
            guest.save(update_fields=User.NAME_COLUMNS)


def are_alike(one: str, other: str) -> bool:
    """Whether two names are equal or look too similar to share a table."""
    return names.key(one) == names.key(other) or bool(names.skeletons(one) & names.skeletons(other))


def numbered(name: str, others: Collection[str] = ()) -> str:
    """Return the name with the first free number from 2 to 99; "" if none is free.

    `others`: the names at the table.
    """
    between = "-" if name[-1:].isdecimal() else ""
    for number in range(2, 100):
        ending = f"{between}{number}"
        wanted = name[: names.LONGEST - len(ending)] + ending
        try:
            free_names.free_name(wanted)
        except ValidationError:
            continue
        if not any(are_alike(wanted, each) for each in others):
            return wanted
    return ""
