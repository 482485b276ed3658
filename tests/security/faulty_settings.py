"""The site's settings with faults in it: a page that fails, and a move with all the dice.

Only for tests: they show that what people and logs are told of a fault holds no die.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.http import HttpRequest, HttpResponse

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = [*INSTALLED_APPS, "tests.security.faulty_settings.Faulty"]
MIDDLEWARE = [*MIDDLEWARE, "tests.security.faulty_settings.failing"]


def failing(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        if "fail" in request.GET:
            raise RuntimeError("as asked for")
        return answer(request)

    return middleware


class Faulty(AppConfig):
    name = "tests.security"
    label = "faulty"

    def ready(self) -> None:
        """A doubt or a calza fails where the rules have every hand in a local variable."""
        from games.perudo import rules as perudo

        honest = perudo.decide

        def decide(state: Any, seat: int, move: Any, chance: Any) -> Any:
            facts = honest(state, seat, move, chance)
            hands = [list(hand) for hand in state.hands if hand]
            if type(move).__name__ == "Dudo":
                counted = hands[99]
                facts.append(counted)
            return facts

        perudo.decide = decide
