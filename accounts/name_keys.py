"""Bring the keys of old accounts up to date after `names.key` has changed."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, models, transaction

from accounts import names

# What names.key changes in a stored name: all other names have the key they always had.
TURKISH = models.Q(username__contains="ı") | models.Q(username__contains="İ")
COLUMNS = ("name_key", "skeleton_folded")


def bring_up_to_date(people: models.QuerySet[Any]) -> int:
    """Give accounts of an older version the key a new one of that name would get.

    The oldest goes first. Where another has the key, the account stays as it is: it is found under
    its own spelling. Idempotent; a name that is changed meanwhile keeps its new key. Returns how
    many were changed.
    """
    fields = [people.model._meta.get_field(column) for column in COLUMNS]
    changed = 0
    for person in people.filter(TURKISH).order_by("pk").iterator(chunk_size=1000):
        if person.name_key != names.key(person.username):
            # As with every save: each field knows what to do where another has its value.
            values = {field.name: field.pre_save(person, add=False) for field in fields}
            changed += _update(people, person, values)
    return changed


def take_back(people: models.QuerySet[Any]) -> int:
    """Give all accounts the keys by which versions before this one find them."""
    changed = 0
    for person in people.filter(TURKISH).order_by("pk").iterator(chunk_size=1000):
        name = person.username
        columns = (names.strict_key(name), names.strict_skeleton_folded(name))
        values = dict(zip(COLUMNS, columns, strict=True))
        if person.skeleton_folded is None:
            del values["skeleton_folded"]
        changed += _update(people, person, values)
    return changed


def _update(people: models.QuerySet[Any], person: Any, values: dict[str, Any]) -> int:
    """How many rows were changed; none where somebody took a value a moment ago."""
    try:
        with transaction.atomic(using=people.db):
            return people.filter(pk=person.pk, username=person.username).update(**values)
    except IntegrityError:
        return 0
