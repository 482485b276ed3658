"""Admin pages with actions (accounts, games, daily questions, messages, reports) and staff log."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.admin import PersonAdmin
from accounts.models import User
from games.admin import (
    ChatMessageAdmin,
    ClubAdmin,
    DailyRoundAdmin,
    GameAdmin,
    OnlyToLookAt,
    RatingAdmin,
    ReportAdmin,
)
from games.models import ChatMessage, Club, DailyRound, Game, Rating, Report
from games.social.chat import talk
from games.study.ratings import odd_results
from games.views.holder import home_of, network
from perudo_site.staff import moderation
from perudo_site.staff.actions import FormData, ReasonForm, logged_action
from perudo_site.staff.moderation import DurationForm

site = admin.site

# Our pages replace the apps' own. allauth's pages are removed: nobody may see two-factor secrets,
# and email addresses change only through `lifecycle.change_email`.
for model in (
    *(User, Game, Rating, Club, DailyRound, ChatMessage, Report, Authenticator, EmailAddress),
):
    site.unregister(model)

_ANNUL_WARNING = _("This can't be undone. The ratings of all who played are counted again.")
_BAN_WARNING = _("They leave every table at once and can't sign in until the suspension is lifted.")


class AccountPermissions:
    """The permissions of actions on accounts."""

    def has_ban_from_chat_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.ban_from_chat")

    def has_ban_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.ban_user")

    def has_superuser_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)


@admin.register(User)
class AccountActions(AccountPermissions, PersonAdmin):
    list_select_related = ("chat_ban",)
    actions = (
        *("ban_from_chat", "lift_chat_ban", "ban", "lift_ban", "annul_ratings"),
        "remove_two_factor",
    )

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*super().get_list_display(request), "banned_until")

    @admin.display(description=_("banned from chat until"))
    def banned_until(self, person: User) -> Any:
        ban = getattr(person, "chat_ban", None)
        return ban and (ban.until or _("permanent"))

    @logged_action(_("Ban from chat"), permission="ban_from_chat", form_class=DurationForm)
    def ban_from_chat(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.ban_from_chat(request, person, data["days"], now=timezone.now())

    @logged_action(_("Lift the chat ban"), permission="ban_from_chat")
    def lift_chat_ban(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.lift_chat_ban(request, person)

    @logged_action(
        _("Suspend"),
        permission="ban",
        warning=_BAN_WARNING,
    )
    def ban(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.ban(request, person, now=timezone.now())

    @logged_action(_("Lift the suspension"), permission="ban")
    def lift_ban(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.lift_ban(request, person)

    def has_annul_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.annul_rating")

    @logged_action(_("Annul all rated games"), permission="annul", warning=_ANNUL_WARNING)
    def annul_ratings(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.annul_account(request, person, now=timezone.now())

    @logged_action(
        _("Reset two-factor authentication"),
        permission="superuser",
        warning=_(
            "First make sure the request comes from the account's owner. After this, the "
            "password alone is enough to sign in."
        ),
    )
    def remove_two_factor(self, request: HttpRequest, person: User, data: FormData) -> User | None:
        return moderation.reset_two_factor(request, person)


@admin.register(Game)
class GameActions(GameAdmin):
    actions = ("close", "annul_ratings")

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*super().get_list_display(request), "closed_by_staff")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return (*super().get_list_filter(request), "closed_by_staff")

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.close_game")

    @logged_action(
        _("Close the table"),
        permission="close",
        warning=_("The game ends for everyone, nobody wins, and it can't be resumed."),
    )
    def close(self, request: HttpRequest, game: Game, data: FormData) -> Game | None:
        return moderation.close_table(game)

    def has_annul_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.annul_rating")

    @logged_action(_("Annul for ratings"), permission="annul", warning=_ANNUL_WARNING)
    def annul_ratings(self, request: HttpRequest, game: Game, data: FormData) -> Game | None:
        return moderation.annul_game(game, now=timezone.now())


@admin.register(Rating)
class RatingPages(RatingAdmin):
    """With a page of results that stand out, with their numbers."""

    change_list_template = "admin/ratings.html"

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.odd_results)
        return [path("odd/", page, name="games_rating_odd"), *super().get_urls()]

    def odd_results(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": _("Results that stand out"),
            "opts": self.opts,
            "found": odd_results.found(now=timezone.now()),
        }
        return TemplateResponse(request, "admin/odd_results.html", context)


class ClubForm(forms.ModelForm):
    """Form that asks for an address, of which only a keyed hash is stored."""

    address = forms.GenericIPAddressField(
        label=_("Address"),
        help_text=_("The address that the club's players share, IPv4 or IPv6."),
    )

    class Meta:
        model = Club
        fields = ("name",)

    def clean_address(self) -> str:
        found = home_of(network(self.cleaned_data["address"]))
        if Club.objects.filter(home=found).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("There is a club with this address."))
        return found

    def save(self, commit: bool = True) -> Any:
        self.instance.home = self.cleaned_data["address"]
        return super().save(commit)


@admin.register(Club)
class ClubPages(ClubAdmin):
    form = ClubForm
    fields = ("name", "address")


@admin.register(DailyRound)
class DailyRoundActions(DailyRoundAdmin):
    actions = ("withdraw",)

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.withdraw_dailyround")

    @logged_action(
        _("Take out"),
        permission="withdraw",
        warning=_(
            "It's removed from the archive for good. If it's today's, another one is chosen."
        ),
    )
    def withdraw(
        self, request: HttpRequest, asked: DailyRound, data: FormData
    ) -> DailyRound | None:
        return moderation.withdraw_daily_round(asked, now=timezone.now())


class ChatPermissions:
    """The permission to hide chat messages."""

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_chatmessage")


@admin.register(ChatMessage)
class ChatMessageActions(ChatPermissions, ChatMessageAdmin):
    actions = ("hide",)

    @logged_action(_("Hide from everyone"), permission="hide")
    def hide(
        self, request: HttpRequest, message: ChatMessage, data: FormData
    ) -> ChatMessage | None:
        return message if talk.hide(ChatMessage.objects.filter(pk=message.pk)) else None


class AnswerForm(ReasonForm):
    """Form that also asks for the outcome, which the reporter sees; they don't see the reason."""

    outcome = forms.ChoiceField(label=_("Answer to the report"), choices=Report.Outcome.choices)
    field_order = ("outcome", "reason")


@admin.register(Report)
class ReportActions(AccountPermissions, ChatPermissions, ReportAdmin):
    actions = ("answer", "hide_what_was_said", "ban_from_chat", "ban")

    def has_answer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_report")

    @logged_action(_("Answer"), permission="answer", form_class=AnswerForm)
    def answer(self, request: HttpRequest, report: Report, data: FormData) -> Report | None:
        return report if talk.settle(report, outcome=data["outcome"]) else None

    @logged_action(_("Hide the message"), permission="hide")
    def hide_what_was_said(
        self, request: HttpRequest, report: Report, data: FormData
    ) -> ChatMessage | None:
        said = ChatMessage.objects.filter(report=report)
        return report.message if talk.hide(said) else None

    @logged_action(
        _("Ban the reported player from chat"), permission="ban_from_chat", form_class=DurationForm
    )
    def ban_from_chat(self, request: HttpRequest, report: Report, data: FormData) -> User | None:
        return moderation.ban_from_chat(request, report.whom, data["days"], now=timezone.now())

    @logged_action(
        _("Suspend the reported player"),
        permission="ban",
        warning=_BAN_WARNING,
    )
    def ban(self, request: HttpRequest, report: Report, data: FormData) -> User | None:
        return moderation.ban(request, report.whom, now=timezone.now())


@admin.register(LogEntry)
class LogEntryAdmin(OnlyToLookAt, admin.ModelAdmin):
    """The log of staff actions, read-only."""

    list_display = ("action_time", "user", "content_type", "object_repr", "get_change_message")
    list_filter = (("user", admin.RelatedOnlyFieldListFilter), "content_type", "action_flag")
    search_fields = ("object_repr", "change_message", "user__name_key__contains")
    date_hierarchy = "action_time"

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return super().get_queryset(request).select_related("user", "content_type")
