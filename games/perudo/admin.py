"""Perudo's rounds in the admin, for staff to look at."""

from __future__ import annotations

from django.contrib import admin

from games.admin import OnlyToLookAt
from games.perudo.models import Round


@admin.register(Round)
class RoundAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "number", "quantity", "face", "call", "count")
    list_filter = ("call",)
    list_select_related = ("game",)
    search_fields = ("game__code__exact",)
    ordering = ("-game_id", "number")
