"""The Django app of Perudo."""

from __future__ import annotations

from django.apps import AppConfig


class PerudoConfig(AppConfig):
    name = "games.perudo"
    verbose_name = "Perudo"
    default_auto_field = "django.db.models.BigAutoField"
