"""The games in the admin, for staff to look at: nothing is written here, no hidden die is shown.

Games change through `lobby` and `play` alone. The facts are those everybody was told: the pages
ask the default manager, which leaves out what is sealed.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Event, Game, Round, Seat


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
