"""A finished game as rows to copy: to play one takes a hundred transactions, to copy it a few."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.utils.translation import get_language

from accounts.models import User
from games.models import FactRow, Game, Seat
from games.play import finish


@dataclass(frozen=True)
class Recording:
    """Every row that a finished game left, but for the results of its players."""

    game: Game
    people: list[int]  # by seat; bots are left out
    seats: list[Seat]
    rounds: list[Any]
    events: list[FactRow]
    began: datetime  # `now` of its players

    def copy(self, people: Sequence[User], *, began: datetime) -> Game:
        """The same game, played by these people at that time; the caller's test may not tell."""
        known: dict[tuple[type[Model], Any], Model] = {
            (User, pk): person for pk, person in zip(self.people, people, strict=True)
        }
        shift = began - self.began
        with transaction.atomic():
            game: Game = _again(self.game, known, shift)
            known[Game, self.game.pk] = game
            game.language = get_language() or ""  # in which its table would be opened now
            game.save(force_insert=True)
            seats = Seat.objects.bulk_create(_again(row, known, shift) for row in self.seats)
            known |= {(Seat, old.pk): new for old, new in zip(self.seats, seats, strict=True)}
            if self.rounds:
                kept: Any = type(self.rounds[0])
                kept.objects.bulk_create(_again(row, known, shift) for row in self.rounds)
            FactRow.unsealed.bulk_create(_again(row, known, shift) for row in self.events)
            finish.write_results(game, seats)
            finish.add_to_tallies(game, seats)
        return game


def record(game: Game, *, began: datetime, rounds: Sequence[Any] | None = None) -> Recording:
    """A finished game with its rounds: those of Perudo, or the rows of another game."""
    seats = list(game.seat_set.order_by("number"))
    return Recording(
        Game.objects.get(pk=game.pk),
        [seat.user_id for seat in seats if seat.user_id is not None],
        seats,
        list(game.round_set.order_by("pk") if rounds is None else rounds),
        list(FactRow.unsealed.filter(game=game).order_by("seq")),
        began,
    )


def _again(row: Any, known: dict[tuple[type[Model], Any], Model], shift: timedelta) -> Any:
    """The row for the copy, not saved: a key and a code of its own, its people, its times."""
    values: dict[str, Any] = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.primary_key or field.name == "code":
            continue
        if field.is_relation:
            values[field.name] = None if value is None else known[field.related_model, value]
        elif isinstance(value, datetime):
            values[field.name] = value + shift
        else:
            values[field.name] = deepcopy(value)
    return type(row)(**values)
