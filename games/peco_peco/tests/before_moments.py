"""Tables of Peco Peco at which the viewer's next press is a great moment, such as an accusation.

`python -m games.peco_peco.tests.before_moments` writes them as `arranged` does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from games.peco_peco.rules.moves import Declare, Play  # noqa: E402
from games.peco_peco.tests.arranged import (  # noqa: E402
    Table,
    before_true,
    game_with_stakes,
    main,
    turn,
)


def before_caught(seats: int) -> Table:
    """The viewer may accuse the player before them, who bluffed."""
    return turn(seats)


def before_won(seats: int) -> Table:
    """When the viewer says that they cannot play, the player after them wins the stake."""
    return _last_to_answer(seats, {"F12": 2, "F09": 1})


def before_set(seats: int) -> Table:
    """The same, and this stake completes a buffet: the game is over."""
    return _last_to_answer(seats, {"F01": 1, "F09": 1})


def before_defeat(seats: int) -> Table:
    """When the viewer says that they cannot play, nobody has played in this round."""
    table = game_with_stakes(seats, {"F12": 2, "F09": 1}, "F13")
    table.all_continue({}, top="M")
    for seat in range(1, seats):
        table.move(seat, Declare())
    return table


def _last_to_answer(seats: int, won: Mapping[str, int]) -> Table:
    table = game_with_stakes(seats, won, "F13")
    table.all_continue({1: "C C C E"}, top="M")
    table.move(1, Play("C"))
    for seat in range(2, seats):
        table.move(seat, Declare())
    return table


if __name__ == "__main__":
    main(
        dict.fromkeys(
            (before_caught, before_true, before_won, before_set, before_defeat), (4, 5, 6, 7)
        )
    )
