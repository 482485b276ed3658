"""Tables of Peco Peco at which a move is refused, put into a site that is about to start.

`python -m games.peco_peco.tests.refusals` prints one JSON object: for each case the path of its
table and the session keys of its people, in the order of their seats.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from games.core.moves import Leave  # noqa: E402
from games.peco_peco.rules.moves import Accuse, Declare, Play  # noqa: E402
from games.peco_peco.tests import arranged  # noqa: E402
from games.peco_peco.tests.arranged import Table, person, session_of  # noqa: E402
from games.play import commands  # noqa: E402


def four(stake: str, **options: object) -> Table:
    return Table([person() for _ in range(4)], [stake], **options)


def out_of_round() -> Table:
    """Seat 1 has accused an honest player where there is no mercy."""
    table = four("F13")
    table.start_round({0: "E E C C"}, top="E")
    table.move(0, Declare())
    table.move(1, Accuse())
    return table


def without_cards() -> Table:
    """Seat 0 has played its last card, and seat 3 declares under the slap rule."""
    table = four("F16")
    table.start_round({0: "E C M", 3: "M E C", 2: "C C C", 1: "C C C"}, top="C")
    for mine, answer in (("E", "M"), ("C", "E"), ("M", "")):
        table.move(0, Play(mine))
        table.move(3, Play(answer) if answer else Declare())
        for seat in (2, 1) if answer else ():
            table.move(seat, Declare())
            due = table.game.due_at
            assert due is not None
            table.now = due
            commands.play_due(table.code, now=due, chance=table.chance)
    return table


def of_partners() -> Table:
    """Seat 0 has declared under the slap rule; its partner, seat 2, may not accuse."""
    table = four("F03", teams="on", team_accuse_partner=False)
    table.start_round({}, top="E")
    table.move(0, Declare())
    return table


def left() -> Table:
    """Seat 1 has left the game."""
    table = four("F14")
    table.start_round({}, top="E")
    table.move(1, Leave())
    return table


def between_rounds() -> Table:
    return arranged.won(4)


def choosing() -> Table:
    return arranged.choosing(5)


def over() -> Table:
    return arranged.over(4)


CASES: Mapping[str, Callable[[], Table]] = {
    case.__name__: case
    for case in (out_of_round, without_cards, of_partners, left, between_rounds, choosing, over)
}


def main() -> None:
    told = {}
    for name, make in CASES.items():
        table = make()
        told[name] = {"path": table.path(), "keys": [session_of(each) for each in table.people]}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
