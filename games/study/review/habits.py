"""How people here play, by which a judge reads their moves: fitted to their finished games."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from games.contract import catalogue
from games.contract.optional_parts import Fitting
from games.models import Game, Habits
from games.play import finish
from games.store import record_export
from games.study.review import log

# Fewer games of people say too little.
FEWEST_GAMES: Final = 500
# The latest ones that are read: people change, and each takes a good part of a second.
MOST_GAMES: Final = 5000


def latest(kind_key: str) -> dict[str, Any] | None:
    """The habits of a game's players with their `version`; None before the first fit."""
    kept = Habits.objects.filter(kind_key=kind_key).order_by("-version").first()
    return None if kept is None else kept.content | {"version": kept.version}


def games_of_people(kind_key: str) -> QuerySet[Game]:
    """The finished games that count and in which several people sat, the latest first."""
    finished = Game.objects.filter(kind_key=kind_key, status=Game.Status.FINISHED)
    counted = finished.exclude(origin__in=finish.COUNTS_FOR_NOTHING)
    people = counted.annotate(people=Count("seat", filter=Q(seat__bot="")))
    return people.filter(people__gt=1).order_by("-pk")


def fit(kind_key: str, games: Iterable[Game], *, now: datetime) -> Habits:
    """Fit habits to these games of one kind, and store them as its next version."""
    fitting = fittings()[kind_key]
    players: list[Any] = []
    count = 0
    for game in games:
        players += fitting.players_of(log_of(game))
        count += 1
    with transaction.atomic():
        versions = Habits.objects.filter(kind_key=kind_key).order_by("-version")
        version = versions.values_list("version", flat=True).first() or 0
        return Habits.objects.create(
            kind_key=kind_key,
            version=version + 1,
            made_at=now,
            games=count,
            content=fitting.fitted(players),
        )


def fittings() -> dict[str, Fitting]:
    """What fits habits, by the key of each game that has it."""
    return {kind.key: kind.fitting for kind in catalogue.every() if kind.fitting is not None}


def log_of(game: Game) -> dict[str, Any]:
    """A finished game as input of a judge. Raises ValueError while the game runs."""
    seats = list(game.seat_set.all())  # a table may have had room for more
    bots = [seat.number for seat in seats if seat.bot]
    return log.written(record_export.log_of(game), seats=len(seats), bots=bots)
