"""Django app of tables, games and their logs."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.contract import catalogue
        from games.contract.game_modules import game_in
        from games.core import characters

        catalogue.install(map(game_in, settings.GAMES))
        characters.install(
            (each for kind in catalogue.every() for each in kind.characters.items()),
            taken={key for kind in catalogue.every() for key in kind.bots},
        )
