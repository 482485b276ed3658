"""The site's settings with chosen cards in every deal after the first, for one table of four.

Nothing is random any more: of several cards the first is picked. Only for tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig

from tests.e2e.unhurried_settings import *  # noqa: F403
from tests.e2e.unhurried_settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "games.peco_peco.tests.stacked_settings.Stacked"]

# The hands by seat, the card turned up, and the first of the pile.
DEALS = (
    ("C C C E", "C C C C", "E M M", "C C M M", "C", ""),  # 3 sushi cost Cleo a card
    ("C C M M", "C C C C", "E E M M", "C C E E", "C", "E E E E"),
)


class Stacked(AppConfig):
    name = "games.peco_peco.tests"
    label = "stacked"

    def ready(self) -> None:
        from games.core.chance import SystemChance
        from games.peco_peco.rules.cards import DECK
        from games.play import commands

        deals: Iterator[tuple[str, ...]] = iter(DEALS)

        class ChosenDeals(SystemChance):
            def shuffled(self, items: Sequence[Any], at: object = None) -> tuple[Any, ...]:
                rest = list(items)
                first = " ".join(next(deals)).split() if len(rest) == len(DECK) else []
                for card in first:
                    rest.remove(card)
                return (*first, *rest)

            def pick(self, items: Sequence[Any], at: object = None) -> Any:
                return items[0]

        commands.TableChance = lambda game: ChosenDeals()
        commands.SystemChance = ChosenDeals  # of bots
