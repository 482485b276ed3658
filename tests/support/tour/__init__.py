"""A walk through every page of the site and every state of a table, as different people see them.

A new page belongs on the tour: what is not on it nobody reads in four languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.support.tour import (
    company,
    friends,
    games,
    matching,
    peco_peco,
    people,
    ratings,
    reviews,
)
from tests.support.tour.games import frames
from tests.support.tour.visitor import Page, TourVisitor

__all__ = ["LEGS", "Page", "TourVisitor", "frames"]

LEGS: dict[str, Callable[..., Iterator[Page]]] = {
    "doors": people.sign_in_pages,
    "letters": people.letters,
    "own rooms": people.account_pages,
    "the second step": people.two_factor,
    "guests": people.guest_pages,
    "errors": people.error_pages,
    # Before anybody sits at a running game.
    "people who look for others": matching.pages,
    "the lobby": games.lobby,
    "tables": games.tables,
    "the end of a game": games.end_of_a_game,
    "games over": games.finished_games,
    "refusals": games.refusals,
    "lessons": company.lessons,
    "talk": company.talk,
    "standing tables": company.standing_tables,
    "friends": friends.friend_pages,
    "rooms of Peco Peco": peco_peco.pages_and_waiting_room,
    "lessons of Peco Peco": peco_peco.lessons,
    "tables of Peco Peco": peco_peco.tables,
    "positions of Peco Peco": peco_peco.positions,
    "games of Peco Peco that are over": peco_peco.finished_games,
    "reviews": reviews.pages,
    "ratings": ratings.pages,
}
