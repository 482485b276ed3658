"""The games in the admin, for staff to look at: no game is written here, no hidden die is shown.

Games change through `lobby` and `play` alone. The facts are those everybody was told: the pages
ask the default manager, which leaves out what is sealed. What people said can be hidden, and what
they reported marked as handled, through `company`.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games import company, words
from games.models import Event, Game, Report, Round, Saying, Seat


class OnlyToLookAt:
    """No adding, changing or deleting, whoever asks."""

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
    list_display = ("code", "status", "host", "preset", "size", "public", "seq", "created_at")
    list_filter = ("status", "public", "preset")
    list_select_related = ("host",)
    search_fields = ("code", "host__username")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    inlines = (SeatsOfGame,)


@admin.register(Seat)
class SeatAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "number", "user", "bot", "place", "asleep", "gone")
    list_filter = ("bot", "asleep", "gone")
    list_select_related = ("game", "user")
    search_fields = ("game__code", "user__username")
    ordering = ("-game__created_at", "number")


@admin.register(Round)
class RoundAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "number", "quantity", "face", "call", "count")
    list_filter = ("call",)
    list_select_related = ("game",)
    search_fields = ("game__code",)
    ordering = ("-game__created_at", "number")


@admin.register(Event)
class EventAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "seq", "kind", "at")
    list_filter = ("kind",)
    list_select_related = ("game",)
    search_fields = ("game__code",)
    ordering = ("-game__created_at", "seq")


class Moderation(OnlyToLookAt):
    """Actions for those who may change sayings and reports; the rows are not edited by hand."""

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        user: Any = request.user
        return bool(user.has_perms(["games.change_saying", "games.change_report"]))


def _hidden(count: int) -> str:
    said = ngettext("%(count)d saying is hidden.", "%(count)d sayings are hidden.", count)
    return said % {"count": count}


@admin.register(Saying)
class SayingAdmin(Moderation, admin.ModelAdmin):
    list_display = ("at", "game", "by", "phrase", "text", "hidden")
    list_filter = ("hidden",)
    list_select_related = ("game", "by")
    search_fields = ("game__code", "by__username", "text")
    ordering = ("-pk",)
    actions = ("hide",)

    @admin.action(description=_("Hide from everybody"), permissions=["moderate"])
    def hide(self, request: HttpRequest, sayings: QuerySet[Saying]) -> None:
        self.message_user(request, _hidden(company.hide(sayings)))


@admin.register(Report)
class ReportAdmin(Moderation, admin.ModelAdmin):
    list_display = ("at", "whom", "reason", "words", "said", "game", "by", "handled")
    list_filter = ("handled", "reason")
    list_select_related = ("whom", "by", "game", "saying")
    search_fields = ("whom__username", "by__username", "game__code")
    ordering = ("handled", "-pk")
    actions = ("mark_as_handled", "hide_what_was_said")

    @admin.display(description=_("saying"))
    def said(self, report: Report) -> str:
        saying = report.saying
        return "" if saying is None else words.saying(phrase=saying.phrase, text=saying.text)

    @admin.action(description=_("Mark as handled"), permissions=["moderate"])
    def mark_as_handled(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        count = company.settle(reports)
        done = ngettext("%(count)d report is handled.", "%(count)d reports are handled.", count)
        self.message_user(request, done % {"count": count})

    @admin.action(description=_("Hide what was said"), permissions=["moderate"])
    def hide_what_was_said(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        said = Saying.objects.filter(pk__in=reports.values("saying"))
        self.message_user(request, _hidden(company.hide(said)))
