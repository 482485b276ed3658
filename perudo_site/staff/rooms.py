"""What the staff finds inside: people, tables, sayings and reports with tools, and the record."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.admin import PersonAdmin
from accounts.models import User
from games import company, lobby
from games.admin import GameAdmin, OnlyToLookAt, ReportAdmin, SayingAdmin
from games.models import Game, Report, Saying
from perudo_site.staff import deeds
from perudo_site.staff.deeds import HowLong
from perudo_site.staff.tools import Why, tool

site = admin.site

# Other packages bring rooms of their own. A secret of a second step is for nobody's eyes, and an
# address changes through `people.change_email` alone.
for shown in (User, Game, Saying, Report, Authenticator, EmailAddress):
    site.unregister(shown)

_WHAT_A_BAN_DOES = _("They leave every table at once and cannot sign in until the ban is lifted.")


class OverPeople:
    """Who may do what to people."""

    def has_silence_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.silence_person")

    def has_ban_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.ban_user")

    def has_master_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)


@admin.register(User)
class PersonTools(OverPeople, PersonAdmin):
    list_select_related = ("silence",)
    actions = ("silence", "let_talk", "ban", "lift_ban", "take_second_step")

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*super().get_list_display(request), "silent")

    @admin.display(description=_("silent until"))
    def silent(self, person: Any) -> Any:
        silence = getattr(person, "silence", None)
        return silence and (silence.until or _("for good"))

    @tool(_("Silence"), permission="silence", asks=HowLong)
    def silence(self, request: HttpRequest, person: Any, chosen: Any) -> User | None:
        return deeds.silence(request, person, chosen["days"], now=timezone.now())

    @tool(_("Let talk again"), permission="silence")
    def let_talk(self, request: HttpRequest, person: Any, chosen: Any) -> User | None:
        return deeds.let_talk(request, person)

    @tool(
        _("Ban"),
        permission="ban",
        warning=_WHAT_A_BAN_DOES,
    )
    def ban(self, request: HttpRequest, person: Any, chosen: Any) -> User | None:
        return deeds.ban(request, person, now=timezone.now())

    @tool(_("Lift the ban"), permission="ban")
    def lift_ban(self, request: HttpRequest, person: Any, chosen: Any) -> User | None:
        return deeds.lift_ban(request, person)

    @tool(
        _("Take away the second step"),
        permission="master",
        warning=_("Make sure by other means that this is who asks: the password alone will do."),
    )
    def take_second_step(self, request: HttpRequest, person: Any, chosen: Any) -> User | None:
        return deeds.take_second_step(request, person)


@admin.register(Game)
class GameTools(GameAdmin):
    actions = ("close",)

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*super().get_list_display(request), "closed_by_staff")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return (*super().get_list_filter(request), "closed_by_staff")

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.close_game")

    @tool(
        _("Close the table"),
        permission="close",
        warning=_("The game ends for everybody, nobody wins, and it cannot be taken up again."),
    )
    def close(self, request: HttpRequest, game: Game, chosen: Any) -> Game | None:
        return game if lobby.close_by_staff(game.code) else None


class OverSayings:
    """Who may hide what was said."""

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_saying")


@admin.register(Saying)
class SayingTools(OverSayings, SayingAdmin):
    actions = ("hide",)

    @tool(_("Hide from everybody"), permission="hide")
    def hide(self, request: HttpRequest, saying: Saying, chosen: Any) -> Saying | None:
        return saying if company.hide(Saying.objects.filter(pk=saying.pk)) else None


class Answer(Why):
    """Asks how it came out; the author of the report reads that, not the reason."""

    outcome = forms.ChoiceField(label=_("Answer to the report"), choices=Report.Outcome.choices)
    field_order = ("outcome", "reason")


@admin.register(Report)
class ReportTools(OverPeople, OverSayings, ReportAdmin):
    actions = ("answer", "hide_what_was_said", "silence", "ban")

    def has_answer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_report")

    @tool(_("Answer"), permission="answer", asks=Answer)
    def answer(self, request: HttpRequest, report: Report, chosen: Any) -> Report | None:
        return report if company.settle(report, outcome=chosen["outcome"]) else None

    @tool(_("Hide what was said"), permission="hide")
    def hide_what_was_said(
        self, request: HttpRequest, report: Report, chosen: Any
    ) -> Saying | None:
        said = Saying.objects.filter(report=report)
        return report.saying if company.hide(said) else None

    @tool(_("Silence the reported person"), permission="silence", asks=HowLong)
    def silence(self, request: HttpRequest, report: Any, chosen: Any) -> User | None:
        return deeds.silence(request, report.whom, chosen["days"], now=timezone.now())

    @tool(
        _("Ban the reported person"),
        permission="ban",
        warning=_WHAT_A_BAN_DOES,
    )
    def ban(self, request: HttpRequest, report: Any, chosen: Any) -> User | None:
        return deeds.ban(request, report.whom, now=timezone.now())


@admin.register(LogEntry)
class RecordAdmin(OnlyToLookAt, admin.ModelAdmin):
    """What the staff did: for all who may view it, for nobody to change."""

    list_display = ("action_time", "user", "content_type", "object_repr", "get_change_message")
    list_filter = (("user", admin.RelatedOnlyFieldListFilter), "content_type", "action_flag")
    search_fields = ("object_repr", "change_message", "user__username")
    date_hierarchy = "action_time"

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return super().get_queryset(request).select_related("user", "content_type")
