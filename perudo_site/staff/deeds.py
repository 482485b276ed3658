"""What the staff does to a person: silence and ban, and the way back from both."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import people, second_step
from accounts.models import User
from games import company, lobby
from perudo_site.staff.tools import Why

FOR_GOOD: Final = 0
DAYS: Final = (
    (1, _("for a day")),
    (7, _("for a week")),
    (30, _("for thirty days")),
    (FOR_GOOD, _("for good")),
)


class HowLong(Why):
    """Asks for the days as well; `days` reads as its words in the record."""

    days = forms.ChoiceField(label=_("How long"), choices=DAYS, initial=1)
    field_order = ("days", "reason")

    def clean_days(self) -> Days:
        return Days(int(self.cleaned_data["days"]))


class Days(int):
    def __str__(self) -> str:
        return str(dict(DAYS)[int(self)])


def may_touch(staff: Any, person: User) -> bool:
    """Nobody acts upon himself, upon who is gone, or, but for superusers, upon the staff."""
    if person == staff or person.is_deleted:
        return False
    return staff.is_superuser or not person.is_staff


def silence(request: HttpRequest, person: User, days: Days, *, now: datetime) -> User | None:
    if not may_touch(request.user, person):
        return None
    company.silence(person, until=None if days == FOR_GOOD else now + timedelta(days=days))
    return person


def let_talk(request: HttpRequest, person: User) -> User | None:
    return person if may_touch(request.user, person) and company.let_talk(person) else None


def ban(request: HttpRequest, person: User, *, now: datetime) -> User | None:
    """Shut him out; then, when that is committed and he can sit down nowhere, free his seats."""
    if not may_touch(request.user, person) or not people.ban(person):
        return None
    transaction.on_commit(partial(lobby.send_away, person, now=now))
    return person


def lift_ban(request: HttpRequest, person: User) -> User | None:
    return person if may_touch(request.user, person) and people.lift_ban(person) else None


def take_second_step(request: HttpRequest, person: User) -> User | None:
    return person if person != request.user and second_step.take_away(person) else None
