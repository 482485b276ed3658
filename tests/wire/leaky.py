"""The site's settings with holes in it, to prove that the search for leaked secrets finds them.

Every frame tells every hidden hand of the table, each frame in the next of the forms, and the
metrics count them; a page does so if asked with `?leak=<form>&of=<table>`. The pages of the staff
list all facts. Only for tests.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

from django.apps import AppConfig
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS, MIDDLEWARE
from tests.wire.leakforms import FORMS
from tests.wire.peco_peco import leakforms as cards

FORMS_OF = {"perudo": [*FORMS], cards.KEY: [*cards.FORMS, *cards.PILES]}

LEAKED = Counter("perudo_leaked", "Hands that frames told.", ["hands"])

INSTALLED_APPS = [*INSTALLED_APPS, "tests.wire.leaky.Leaky"]
MIDDLEWARE = ["tests.wire.leaky.leaking", *MIDDLEWARE]


def hidden_hands(code: str, form: str) -> str:
    """Every hidden hand at this table, in that form."""
    from games.models import Game
    from games.store import event_log

    game = Game.objects.get(code=code)
    state = event_log.unsealed(game)
    if game.rules == cards.KEY:
        return cards.told(form, state)
    return " and ".join(FORMS[form](list(hand)) for hand in state.hands if hand)


def leaking(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        form, code = request.GET.get("leak", ""), request.GET.get("of", "")
        if form == "header":
            response["X-Debug"] = hidden_hands(code, "tight-json")
        elif form:
            response.content += hidden_hands(code, form).encode()
            response["Content-Length"] = str(len(response.content))
        return response

    return middleware


class Leaky(AppConfig):
    name = "tests.wire"
    label = "leaky"

    def ready(self) -> None:
        from django.contrib import admin

        from games.models import Event
        from games.rendering import frames

        admin.site.get_model_admin(Event).get_queryset = lambda request: Event.unsealed.all()

        honest = frames.frame
        next_form = {key: cycle(forms) for key, forms in FORMS_OF.items()}

        def frame(game: Any, number: int | None, **viewer: Any) -> str:
            form = next(next_form[game.rules])
            hands = hidden_hands(game.code, form)
            LEAKED.labels(hands).inc()
            return f"{honest(game, number, **viewer)}<p>told: {form}</p>{hands}"

        frames.frame = frame
