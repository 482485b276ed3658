"""Marks: achievements that people earned in finished games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from games.models import people
from games.models.game import Game


class Mark(models.Model):
    """A mark of one person, earned once and kept (see `optional_parts.Marks`).

    It stays without its game if that is ever deleted.
    """

    user = people.person(related_name="+")
    kind_key = models.CharField(max_length=20)
    key = models.CharField(max_length=20)
    game = models.ForeignKey(Game, null=True, on_delete=models.SET_NULL, related_name="+")
    moment = models.PositiveIntegerField()  # that shows it, from 1; 0: the whole game
    at = models.DateTimeField()  # the end of the game

    if TYPE_CHECKING:
        game_id: int | None
        user_id: int

    class Meta:
        default_permissions = ()
        constraints = [
            # In this order, its index also counts the people who have a mark.
            models.UniqueConstraint(fields=["kind_key", "key", "user"], name="one_mark_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind_key} {self.key}"
