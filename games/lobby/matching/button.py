"""The values of the button *Play with people*: the games, and how many people wait for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from accounts.requests import AnyUser
from games import words
from games.contract import catalogue
from games.lobby.matching import queue
from games.models import IN_LINE, Search
from games.play import quick_tables
from games.store.quick_tables import people_in_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A game of the button, with the number of people who wait for it."""

    key: str
    name: str
    rules: str
    pace: str
    seats: int
    most: int
    waiting: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Button:
    """The values of `games/_play_people.html`."""

    choices: Sequence[Choice]
    chosen: str
    waiting: int
    in_line: bool
    bots: bool
    table: str  # the address of a game that binds the person, or ""
    asks_name: bool


def context(user: AnyUser, *, now: datetime, bound: str | None = None) -> Button:
    """The button for this person, in the active language.

    `bound` is the code of a game that binds them, or "" for none, if the caller knows it.
    """
    waiting = people_in_line(now=now, but=user.pk)
    search = None
    if user.is_authenticated:
        search = Search.objects.filter(pk=user.pk, state__in=IN_LINE).first()
        if bound is None:
            game = queue.playing(user)
            bound = game.code if game else ""
    return Button(
        choices=[_choice(kind, waiting[kind.key]) for kind in catalogue.every()],
        chosen=search.choice if search else "",
        waiting=max(waiting.values(), default=0),
        in_line=search is not None,
        bots=search.bots if search else True,
        table=reverse("games:table", args=[bound]) if bound else "",
        asks_name=not user.is_authenticated,
    )


def _choice(kind: catalogue.GameKind, waiting: int) -> Choice:
    seats = quick_tables.seats(kind.key)
    settings = quick_tables.settings_of(kind.key)
    return Choice(
        key=kind.key,
        name=kind.words.name(),
        rules=kind.words.preset(settings.preset),
        pace=words.pace(settings.turn_seconds),
        seats=seats.start,
        most=seats[-1],
        waiting=waiting,
    )
