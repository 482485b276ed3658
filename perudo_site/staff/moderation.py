"""Moderation of accounts (chat bans, suspensions, two-factor), tables and questions of the day."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import lifecycle, two_factor
from accounts.models import User
from games.models import DailyRound, Game, RatedSeat
from games.play import before_start, close_by_staff
from games.play.ratings import correcting
from games.social.chat import talk
from games.study.questions import daily
from perudo_site.staff.actions import ReasonForm

FOREVER: Final = 0
DAYS: Final = (
    (1, _("1 day")),
    (7, _("1 week")),
    (30, _("30 days")),
    (FOREVER, _("permanent")),
)


class DurationForm(ReasonForm):
    """Form that also asks for a duration; `days` is logged in words."""

    days = forms.ChoiceField(label=_("Duration"), choices=DAYS, initial=1)
    field_order = ("days", "reason")

    def clean_days(self) -> Days:
        return Days(int(self.cleaned_data["days"]))


class Days(int):
    def __str__(self) -> str:
        return str(dict(DAYS)[int(self)])


def may_moderate(staff: Any, person: User) -> bool:
    """Whether `staff` may moderate a person.

    Nobody may moderate themselves or deleted accounts; only superusers may moderate other staff.
    """
    if person == staff or person.is_deleted:
        return False
    return staff.is_superuser or not person.is_staff


def ban_from_chat(request: HttpRequest, person: User, days: Days, *, now: datetime) -> User | None:
    if not may_moderate(request.user, person):
        return None
    talk.ban_from_chat(person, until=None if days == FOREVER else now + timedelta(days=days))
    return person


def lift_chat_ban(request: HttpRequest, person: User) -> User | None:
    return person if may_moderate(request.user, person) and talk.lift_chat_ban(person) else None


def ban(request: HttpRequest, person: User, *, now: datetime) -> User | None:
    """Suspend a person; free their seats after the commit, when they can no longer join a table."""
    if not may_moderate(request.user, person) or not lifecycle.ban(person):
        return None
    transaction.on_commit(partial(before_start.send_away, person, now=now))
    return person


def lift_ban(request: HttpRequest, person: User) -> User | None:
    return person if may_moderate(request.user, person) and lifecycle.lift_ban(person) else None


def annul_game(game: Game, *, now: datetime) -> Game | None:
    """Take a game out of all ratings, which are then counted again."""
    return game if correcting.annul(RatedSeat.objects.filter(game=game), now=now) else None


def annul_account(request: HttpRequest, person: User, *, now: datetime) -> User | None:
    """Take all rated games of a person out of the ratings of everybody."""
    if not may_moderate(request.user, person):
        return None
    parts = RatedSeat.objects.filter(rating__user=person)
    return person if correcting.annul(parts, now=now) else None


def reset_two_factor(request: HttpRequest, person: User) -> User | None:
    return person if person != request.user and two_factor.take_away(person) else None


def withdraw_daily_round(asked: DailyRound, *, now: datetime) -> DailyRound | None:
    return asked if daily.withdraw(DailyRound.objects.filter(pk=asked.pk), now=now) else None


def close_table(game: Game) -> Game | None:
    return game if close_by_staff.close(game.code) else None
