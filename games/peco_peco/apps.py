"""The Django app of Peco Peco."""

from __future__ import annotations

from django.apps import AppConfig


class PecoPecoConfig(AppConfig):
    name = "games.peco_peco"
    verbose_name = "Peco Peco"
    default_auto_field = "django.db.models.BigAutoField"
