"""The games in the admin, for staff to look at: nothing is written here, no hidden die is shown.

The facts are those everybody was told: the pages ask the default manager, which leaves out what is
sealed. The tools of the staff need people and games; they are the site's (`perudo_site.staff`).
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from games.chat.phrases import in_words
from games.models import ChatMessage, FactRow, Game, Report, Seat


class SomePages(Paginator):
    """A list is counted only so far: nobody pages through millions of rows, but all wait for it."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: self.MOST].count())


class OnlyToLookAt:
    """No adding, changing or deleting for anyone, and no query over all rows of a table."""

    paginator: Any = SomePages
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
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
    exclude = ("holder",)  # of what else comes from the same address staff are not told
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
