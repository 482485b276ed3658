"""Names of deleted accounts, held for some weeks so that nobody can pose as their owners.

A friend who sees a name of last week at a table should not meet a stranger. The name itself is not
stored: keyed hashes of its key and its skeletons tell whether a new name is the same or looks like
it, and nobody without SECRET_KEY can try names against them. With another key they match nothing,
and the names are free.
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
    """Let nobody take this name, or one that looks like it, for HELD_FOR."""
    HeldName.objects.bulk_create(
        [HeldName(hashed=each) for each in _hashes(name)],
        update_conflicts=True,
        unique_fields=["hashed"],
        update_fields=["since"],
    )


def is_held(name: str) -> bool:
    """Whether a deleted account had this name, or one that looks like it, until lately.

    Two names are alike as in User.confusable_with. `sweep` ends the time.
    """
    return HeldName.objects.filter(hashed__in=_hashes(name)).exists()


def sweep(now: datetime) -> int:
    """Free the names that were held long enough; returns how many rows went."""
    return HeldName.objects.filter(since__lt=now - HELD_FOR).delete()[0]


def _hashes(name: str) -> set[str]:
    forms = {f"key {names.key(name)}", *(f"look {look}" for look in names.skeletons(name))}
    return {
        salted_hmac("accounts.held_names", form, algorithm="sha256").hexdigest() for form in forms
    }
