"""A walk through every page of the site and every state of a table, as different people see them.

A new page belongs on the tour: what is not on it nobody reads in four languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.tour import company, games, peco_peco, people
from tests.tour.games import frames
from tests.tour.visitor import Page, Visitor

__all__ = ["LEGS", "Page", "Visitor", "frames"]

LEGS: dict[str, Callable[..., Iterator[Page]]] = {
    "doors": people.doors,
    "letters": people.letters,
    "own rooms": people.own_rooms,
    "the second step": people.second_step,
    "guests": people.of_guests,
    "errors": people.broken,
    "the lobby": games.the_lobby,
    "tables": games.tables,
    "the end of a game": games.to_the_end,
    "games over": games.games_over,
    "refusals": games.refusals,
    "lessons": company.lessons,
    "talk": company.talk,
    "rooms of Peco Peco": peco_peco.rooms,
    "lessons of Peco Peco": peco_peco.lessons,
    "tables of Peco Peco": peco_peco.tables,
    "positions of Peco Peco": peco_peco.positions,
    "games of Peco Peco that are over": peco_peco.games_over,
}
