"""Tables of both games at which everybody else has left, with bots in the other seats.

It prints what `tests.e2e.arranged` does.
"""

from __future__ import annotations

import json
import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from accounts.models import User  # noqa: E402
from games.contract import catalogue  # noqa: E402
from games.models import Seat  # noqa: E402
from games.peco_peco.tests import arranged as peco_peco  # noqa: E402
from tests.e2e import arranged as perudo  # noqa: E402


def leave(viewer: User) -> None:
    """The player after the viewer has left; the others have been bots."""
    mine = Seat.objects.select_related("game").get(user=viewer)
    seats = Seat.objects.filter(game=mine.game)
    bot = next(iter(catalogue.of(mine.game.kind_key).bots))
    seats.filter(number__gt=1).update(user=None, bot=bot)
    assert seats.filter(number=1).update(gone=True)


def main() -> None:
    arranged: dict[str, dict[int, list[str]]] = {}
    for make in (perudo.turn_with_calza, perudo.reveal_before_palifico):
        game = make(6)
        leave(game.viewer)
        session = peco_peco.session_of(game.viewer)
        arranged[f"perudo_{make.__name__}"] = {6: [game.path, session]}
    for show in (peco_peco.turn, peco_peco.window, peco_peco.won):
        table = show(6)
        leave(table.people[0])
        session = peco_peco.session_of(table.people[0])
        arranged[f"peco_peco_{show.__name__}"] = {6: [table.path(), session]}
    print(json.dumps(arranged))


if __name__ == "__main__":
    main()
