"""The Django app of Peco Peco, which adds the game to the catalogue."""

from __future__ import annotations

from django.apps import AppConfig


class PecoPecoConfig(AppConfig):
    name = "games.peco_peco"
    verbose_name = "Peco Peco"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import catalogue
        from games.core.game_record import to_json
        from games.peco_peco import (
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
        from games.peco_peco.assets import ASSETS
        from games.peco_peco.rules.notation import to_text

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
