"""Read-only admin pages of the games for staff, without hidden dice.

The pages query facts through the default manager, which returns public facts only. The tools for
staff need both people and games, and are in `perudo_site.staff`.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import (
    ChatMessage,
    Club,
    DailyRound,
    FactRow,
    Game,
    GameReview,
    Habits,
    Rating,
    Report,
    ReviewedPlay,
    Seat,
    Tie,
)
from games.social.chat.phrases import in_words


class SomePages(Paginator):
    """Paginator that counts at most MOST rows, because counting millions would slow every page."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: self.MOST].count())


class OnlyToLookAt:
    """Mixin without permissions to add, change or delete, and without queries over all rows."""

    paginator: Any = SomePages
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class SeatsOfGame(OnlyToLookAt, admin.TabularInline):
    model = Seat
    fields = ("number", "user", "bot", "place", "asleep", "gone", "missed")
    extra = 0


@admin.register(Game)
class GameAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = (
        "code",
        "kind_key",
        "status",
        "host",
        "preset",
        "size",
        "visibility",
        "seq",
        "created_at",
    )
    list_filter = ("kind_key", "status", "visibility", "preset", "created_at")
    list_select_related = ("host",)
    search_fields = ("code", "host__name_key__contains")
    ordering = ("-pk",)
    exclude = ("holder",)  # so that staff cannot see what comes from the same address
    inlines = (SeatsOfGame,)


@admin.register(Seat)
class SeatAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "number", "user", "bot", "place", "asleep", "gone")
    list_filter = (("bot", admin.EmptyFieldListFilter), "asleep", "gone")
    list_select_related = ("game", "user")
    search_fields = ("game__code", "user__name_key__contains")
    ordering = ("-game_id", "number")


@admin.register(FactRow)
class EventAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "seq", "kind", "at")
    list_filter = ("kind",)
    list_select_related = ("game",)
    search_fields = ("game__code__exact",)
    ordering = ("-game_id", "seq")


@admin.register(GameReview)
class GameReviewAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "judge", "made_at")
    list_filter = ("judge",)
    list_select_related = ("game",)
    search_fields = ("game__code__exact",)
    ordering = ("-pk",)
    exclude = ("content",)  # the replay shows its moments

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameReview]:
        return super().get_queryset(request).defer("content")


@admin.register(Habits)
class HabitsAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("kind_key", "version", "made_at", "games")
    list_filter = ("kind_key",)
    ordering = ("-pk",)


@admin.register(ReviewedPlay)
class ReviewedPlayAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = (
        *("user", "game", "judge", "decisions", "accuracy", "inaccuracies", "mistakes"),
        *("blunders", "luck"),
    )
    list_filter = ("kind_key", "judge", "judged")
    list_select_related = ("user", "game")
    search_fields = ("user__name_key__contains", "game__code__exact")
    ordering = ("-pk",)


@admin.register(Rating)
class RatingAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("user", "kind_key", "mu", "sigma", "games", "last_at")
    list_filter = ("kind_key",)
    list_select_related = ("user",)
    search_fields = ("user__name_key__contains",)
    ordering = ("-pk",)


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ("name",)
    paginator = SomePages
    show_full_result_count = False


@admin.register(DailyRound)
class DailyRoundAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("day", "kind_key", "shipped", "game", "decided_by", "withdrawn_at")
    list_filter = ("kind_key", ("withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("game", "decided_by")
    date_hierarchy = "day"
    ordering = ("-day", "-pk")
    exclude = ("facts", "judgement")  # the facts contain every hand

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyRound]:
        return super().get_queryset(request).defer("facts", "judgement")


@admin.register(ChatMessage)
class ChatMessageAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("at", "game", "by", "phrase", "text", "hidden")
    list_filter = ("hidden",)
    list_select_related = ("game", "by")
    search_fields = ("game__code", "by__name_key__contains", "text")
    ordering = ("-pk",)


@admin.register(Report)
class ReportAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("at", "whom", "reason", "words", "said", "game", "by", "handled", "outcome")
    list_filter = ("handled", "outcome", "reason")
    list_select_related = ("whom", "by", "game", "message")
    search_fields = ("whom__name_key__contains", "by__name_key__contains", "game__code")
    ordering = ("handled", "-pk")

    @admin.display(description=_("message"))
    def said(self, report: Report) -> str:
        message = report.message
        return "" if message is None else in_words(phrase=message.phrase, text=message.text)


@admin.register(Tie)
class TieAdmin(OnlyToLookAt, admin.ModelAdmin):
    """Friend requests with both people, dates and result; the words of links stay secret."""

    list_display = ("asked_at", "asked_by", "asked", "accepted_at", "declined_at", "by_link")
    list_filter = (
        ("accepted_at", admin.EmptyFieldListFilter),
        ("declined_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("first", "second", "asked_by")
    search_fields = ("first__name_key__contains", "second__name_key__contains")
    ordering = ("-pk",)
    fields = ("asked_by", "asked", "asked_at", "accepted_at", "declined_at", "by_link")
    readonly_fields = ("asked", "by_link")

    @admin.display(description=_("asked person"))
    def asked(self, tie: Tie) -> User:
        asked: User = tie.second if tie.asked_by_id == tie.first_id else tie.first
        return asked

    @admin.display(description=_("by the link"), boolean=True)
    def by_link(self, tie: Tie) -> bool:
        """Whether they became friends at once, by a link instead of a request."""
        return tie.accepted_at == tie.asked_at
