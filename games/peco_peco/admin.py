"""Peco Peco's rounds in the admin, for staff to look at."""

from __future__ import annotations

from django.contrib import admin

from games.admin import OnlyToLookAt
from games.peco_peco.models import Round


@admin.register(Round)
class RoundAdmin(OnlyToLookAt, admin.ModelAdmin):
    list_display = ("game", "number", "stake", "winner")
    list_filter = ("stake",)
    list_select_related = ("game", "winner__user")
    search_fields = ("game__code__exact",)
    ordering = ("-game_id", "number")
