"""Transfer of a guest's data to the account that the guest signs in to.

Guests and accounts are rows of one table, so all data of a guest, in any app, is rows with a
foreign key to the guest. `relations` finds every such key, so that none is forgotten; those whose
rows stay are listed with the reason in `HandOver.STAYS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any, Protocol, cast

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user
from django.db import IntegrityError, models, transaction
from django.http import HttpRequest

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Findings:
    """What a hand-over would move, and what prevents it."""

    anything: bool  # whether the guest has anything
    seated: int = 0  # unfinished tables at which the account has a seat too
    too_many: int = 0  # unfinished tables above the limits of the account

    @property
    def fits(self) -> bool:
        return not self.seated and not self.too_many


class HandOver(Protocol):
    """Interface that the site implements, since this app knows nothing of games."""

    STAYS: Mapping[str, str]

    def look(self, guest: User, account: User) -> Findings: ...

    def take_along(self, guest: User, account: User, *, now: datetime) -> None:
        """Move the guest's data to the account, leave the other tables, and end the guest."""

    def leave_behind(self, guest: User, *, now: datetime) -> None:
        """Leave the guest's tables, and announce that the guest's sessions have ended."""


def of_site() -> HandOver:
    return cast(HandOver, import_module(settings.HAND_OVER))


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest of this session, even if `request.user` was replaced by a visitor."""
    person: Any = get_user(request)
    return person if person.is_authenticated and person.is_guest else None


def relations() -> Iterator[models.ForeignKey[object, object]]:
    """Yield every foreign key to a user, including those of many-to-many tables."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey) and field.related_model is User:
                yield field


def label(field: models.ForeignKey[Any, Any]) -> str:
    """Return the label of a foreign key, such as `games.Seat.user`."""
    return f"{field.model._meta.label}.{field.name}"


def rows(field: models.ForeignKey[Any, Any], person: User) -> models.QuerySet[Any]:
    return field.model._base_manager.filter(**{field.attname: person.pk})


def move_rows(found: models.QuerySet[Any], column: str, account: User) -> None:
    """Point these rows to the account; a row that would violate a constraint stays as it is."""
    try:
        with transaction.atomic():
            found.update(**{column: account.pk})
            return
    except IntegrityError:
        pass
    model = found.model
    for key in list(found.values_list("pk", flat=True)):
        try:
            with transaction.atomic():
                model._base_manager.filter(pk=key).update(**{column: account.pk})
        except IntegrityError:
            continue
