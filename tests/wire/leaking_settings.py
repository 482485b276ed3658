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
from tests.wire import games as wire_games  # `GAMES` is a setting

LEAKED = Counter("perudo_leaked", "Hands that frames told.", ["hands"])

INSTALLED_APPS = [*INSTALLED_APPS, "tests.wire.leaking_settings.Leaky"]
_before = MIDDLEWARE.index("perudo_site.compression.PageCompression") + 1  # it still sees text
MIDDLEWARE = [
    *MIDDLEWARE[:_before],
    "tests.wire.leaking_settings.leaking",
    *MIDDLEWARE[_before:],
]


def hidden_hands(code: str, form: str) -> str:
    """Every hidden hand at this table, in that form."""
    from games.models import Game
    from games.store import event_log

    game = Game.objects.get(code=code)
    return wire_games.GAMES[game.kind_key].forms.told(form, event_log.unsealed(game))


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

        from games.models import FactRow
        from games.table import frames

        admin.site.get_model_admin(FactRow).get_queryset = lambda request: FactRow.unsealed.all()

        honest = frames.frame
        next_form = {key: cycle(game.forms.EVERY) for key, game in wire_games.GAMES.items()}

        def frame(game: Any, number: int | None, **viewer: Any) -> frames.Frame:
            form = next(next_form[game.kind_key])
            hands = hidden_hands(game.code, form)
            LEAKED.labels(hands).inc()
            frame = honest(game, number, **viewer)
            return frames.Frame(frame.shared, f"{frame.own}<p>told: {form}</p>{hands}")

        frames.frame = frame
