"""The Django app of Perudo, which adds the game to the catalogue."""

from __future__ import annotations

from django.apps import AppConfig


class PerudoConfig(AppConfig):
    name = "games.perudo"
    verbose_name = "Perudo"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import catalogue
        from games.core.game_record import to_json
        from games.perudo import (
            bots,
            forms,
            pace,
            presenter,
            replay,
            rules,
            rules_page,
            stats,
            tutorial,
            words,
        )
        from games.perudo.assets import ASSETS
        from games.perudo.rules.notation import to_text

        catalogue.register(
            catalogue.Game(
                key=rules.KEY,
                rules=rules,
                bots=bots.BOTS,
                stand_in=bots.STAND_IN,
                pace=pace,
                presenter=presenter,
                replay=replay,
                record=catalogue.RecordFormats(to_text=to_text, to_json=to_json),
                assets=ASSETS,
                words=words,
                stats=stats,
                forms=forms,
                rules_page=rules_page,
                tutorial=tutorial,
            )
        )
