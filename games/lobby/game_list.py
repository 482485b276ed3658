"""The games of the catalogue in words, for pages on which people choose a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.contract import catalogue


@dataclass(frozen=True, kw_only=True, slots=True)
class GameName:
    """A game by its name."""

    key: str
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameName):
    """A game in a list."""

    front: str  # what the site is, in one line
    tagline: str
    summary: str
    lessons: int  # of its tutorial
    least: int  # players
    most: int
    picture: str  # a template
    styles: Sequence[str]


def names() -> list[GameName]:
    """The names of all games, in the order of the catalogue."""
    return [GameName(key=kind.key, name=kind.words.name()) for kind in catalogue.every()]


def games() -> list[ListedGame]:
    """All games in the order of the catalogue."""
    return [shown(kind) for kind in catalogue.every()]


def shown(kind: catalogue.GameKind) -> ListedGame:
    name = kind.words.name()
    return ListedGame(
        key=kind.key,
        name=name,
        front=gettext("Bluff, doubt, win: %(game)s in your browser") % {"game": name},
        tagline=kind.words.tagline(),
        summary=kind.words.summary(),
        lessons=len(kind.tutorial.titles()),
        least=kind.rules.SEATS.start,
        most=kind.rules.SEATS[-1],
        picture=f"{kind.key}/_hero.html",
        styles=kind.assets.list_styles,
    )
