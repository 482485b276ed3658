"""Searches for people in every state, over running tables of both games and over the lobby.

It prints what `tests.e2e.arranged` does; a state is named by what the strip says and where it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games.lobby.matching import queue  # noqa: E402
from games.models import Game, Search  # noqa: E402
from games.peco_peco.tests import arranged as peco_peco  # noqa: E402
from games.play import quick_tables  # noqa: E402
from tests.e2e import arranged as perudo  # noqa: E402

State = Search.State
AN_HOUR = timedelta(hours=1)
ELSEWHERE = "another device"
# What the strip says: the state, who else is there, and where the search goes on.
SAID: dict[str, tuple[State, int, str]] = {
    "waiting": (State.WAITING, 0, ""),
    "asked": (State.ASKED, 1, ""),
    "asked_by_all": (State.ASKED, 5, ""),
    "ready": (State.READY, 1, ""),
    "elsewhere": (State.WAITING, 0, ELSEWHERE),
    "missed": (State.MISSED, 1, ""),
}


def search(person: User, state: State, others: int, device: str) -> None:
    """Let somebody look for people, whose quick table has so many others; nothing is due there."""
    now = timezone.now()
    table = quick_tables.open_table(person, "perudo", holder="", now=now)
    company = [peco_peco.person() for _ in range(others)]
    for other in company:
        quick_tables.sit(table, other, now=now)
    if others:
        quick_tables.count_down(table, until=now + AN_HOUR, now=now)
    here = dict.fromkeys(company, State.READY) | {person: state}
    for each, stands in here.items():
        Search.objects.create(
            user=each,
            state=stands,
            table=table,
            device=device,
            met=[other.pk for other in company],
            # Nobody is seated with people of an address that lets others down.
            holder="unreliable",
            leaves=queue.LEAVES_PER_ADDRESS,
            left_at=now + AN_HOUR,
            changed_at=now + AN_HOUR,
            seen_at=now + AN_HOUR,
        )


def over_perudo() -> tuple[str, User]:
    game = perudo.turn_with_calza(6)
    return game.path, game.viewer


def over_peco_peco() -> tuple[str, User]:
    table = peco_peco.turn(6)
    return table.path(), table.people[0]


def over_a_warm_up() -> tuple[str, User]:
    """The viewer waits for the others there."""
    path, viewer = over_perudo()
    Game.objects.filter(seat__user=viewer).update(solo=True, origin=Game.Origin.WARM_UP)
    return path, viewer


def over_a_watched_table() -> tuple[str, User]:
    """The viewer watches others and has a game against bots besides."""
    path, _ = over_perudo()
    _, viewer = over_a_warm_up()
    return path, viewer


def over_the_lobby() -> tuple[str, User]:
    _, viewer = over_a_warm_up()
    return "/", viewer


PLACES: dict[str, Callable[[], tuple[str, User]]] = {
    "perudo": over_perudo,
    "peco_peco": over_peco_peco,
    "lobby": over_the_lobby,
}


def main() -> None:
    arranged: dict[str, dict[int, list[str]]] = {}

    def show(name: str, place: Callable[[], tuple[str, User]], said: str) -> None:
        path, viewer = place()
        search(viewer, *SAID[said])
        arranged[name] = {6: [path, peco_peco.session_of(viewer)]}

    for said in SAID:
        for place, arrange in PLACES.items():
            show(f"{said}_over_{place}", arrange, said)
    show("waiting_over_warm_up", over_a_warm_up, "waiting")
    show("waiting_over_watched", over_a_watched_table, "waiting")
    print(json.dumps(arranged))


if __name__ == "__main__":
    main()
