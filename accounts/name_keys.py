"""Update the stored keys of older accounts after a change of `names.key`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, models, transaction

from accounts import names

if TYPE_CHECKING:
    from accounts.models import User


# Names whose key has changed with a version of names.key; all other keys are the same as before.
TURKISH = models.Q(username__contains="ı") | models.Q(username__contains="İ")
APOSTROPHE = models.Q(username__contains="\u02bc")
COLUMNS = ("name_key", "skeleton_folded")


def bring_up_to_date(people: models.QuerySet[Any], changed_in: models.Q = TURKISH) -> int:
    """Give older accounts the key that a new account of their name would get; oldest first.

    `changed_in`: filter for the names whose key has changed. An account whose new key is taken
    stays as it is, and is found under its own spelling. Idempotent; a name that is changed
    meanwhile keeps its new key. Return how many accounts were changed.
    """
    fields = [people.model._meta.get_field(column) for column in COLUMNS]
    changed = 0
    for person in people.filter(changed_in).order_by("pk").iterator(chunk_size=1000):
        if person.name_key != names.key(person.username):
            # As in every save: each field chooses what to store if another user has its value.
            values = {field.name: field.pre_save(person, add=False) for field in fields}
            changed += _update(people, person, values)
    return changed


def take_back(people: models.QuerySet[Any], changed_in: models.Q = TURKISH) -> int:
    """Restore the keys by which earlier versions find these accounts; return how many."""
    changed = 0
    for person in people.filter(changed_in).order_by("pk").iterator(chunk_size=1000):
        name = person.username
        columns = (names.strict_key(name), names.strict_skeleton_folded(name))
        values = dict(zip(COLUMNS, columns, strict=True))
        if person.skeleton_folded is None:
            del values["skeleton_folded"]
        changed += _update(people, person, values)
    return changed


def _update(people: models.QuerySet[Any], person: User, values: dict[str, Any]) -> int:
    """Update a row; return 1, or 0 if its name has changed or a value has just been taken."""
    try:
        with transaction.atomic(using=people.db):
            return people.filter(pk=person.pk, username=person.username).update(**values)
    except IntegrityError:
        return 0
