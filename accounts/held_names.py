"""Names of deleted accounts, held for some weeks so that nobody can pose as their owners.

A friend who sees last week's name at a table should not meet a stranger. The name itself is not
stored, only keyed hashes of its key and its skeletons, which show whether a new name is equal or
similar. Nobody without SECRET_KEY can test names against them. After a change of SECRET_KEY they
match nothing, and the names are free.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import names

HELD_FOR: Final = timedelta(weeks=6)


class HeldName(models.Model):
    hashed = models.CharField(max_length=64, unique=True)
    since = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.hashed[:8]}… since {self.since}"


def hold(name: str) -> None:
    """Reserve this name, and names that look like it, for HELD_FOR."""
    HeldName.objects.bulk_create(
        [HeldName(hashed=each) for each in _hashes(name)],
        update_conflicts=True,
        unique_fields=["hashed"],
        update_fields=["since"],
    )


def is_held(name: str) -> bool:
    """Whether this name, or one that looks like it, is held for a deleted account.

    Names are compared as in User.confusable_with. A name is held until `sweep` deletes its rows.
    """
    return HeldName.objects.filter(hashed__in=_hashes(name)).exists()


def sweep(now: datetime) -> int:
    """Free the names held for longer than HELD_FOR; return how many rows were deleted."""
    return HeldName.objects.filter(since__lt=now - HELD_FOR).delete()[0]


def _hashes(name: str) -> set[str]:
    forms = {f"key {names.key(name)}", *(f"look {look}" for look in names.skeletons(name))}
    return {
        salted_hmac("accounts.held_names", form, algorithm="sha256").hexdigest() for form in forms
    }
