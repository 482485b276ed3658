"""The tables of what finished games leave behind: results, tallies, and logs packed small.

All of it follows from the log and the seats; it is kept so that no page has to count games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models


class Result(models.Model):
    """A finished game from the side of one person, as lists order and filter it.

    It repeats what its seat and its game say, and never changes after the game: so one index
    answers every question of a person's list, whatever the number of games.
    """

    seat = models.OneToOneField(
        "games.Seat", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    finished_at = models.DateTimeField()
    place = models.PositiveSmallIntegerField()  # 1 is the winner
    left = models.BooleanField()  # before the end, or a bot played on: neither won nor lost
    preset = models.CharField(max_length=30)
    calza = models.BooleanField()
    public = models.BooleanField()

    if TYPE_CHECKING:
        seat_id: int
        user_id: int

    class Meta:
        indexes = [
            # A person's list, newest first. What it is filtered by lies in the index too, so that
            # the rows that do not match are never fetched.
            models.Index(
                fields=[
                    *("user", "-finished_at", "-seat"),
                    *("place", "left", "preset", "calza", "public"),
                ],
                name="result_list",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: place {self.place}"


class Tally(models.Model):
    """What a person's finished games add up to, counted on in the transaction that ends a game."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    places = models.JSONField(default=list)  # how often first, how often second, …
    left = models.PositiveIntegerField(default=0, db_default=0)  # games in none of these places
    doubts = models.PositiveIntegerField(default=0)
    doubts_right = models.PositiveIntegerField(default=0)
    calzas = models.PositiveIntegerField(default=0)
    calzas_exact = models.PositiveIntegerField(default=0)
    bids_challenged = models.PositiveIntegerField(default=0)
    bids_true = models.PositiveIntegerField(default=0)

    if TYPE_CHECKING:
        user_id: int

    def __str__(self) -> str:
        return f"{self.user_id}: {sum(self.places)}"


class NoRecords(models.Manager["PackedLog"]):
    """Nothing at all: a record holds every hand of its game in one piece."""

    def get_queryset(self) -> models.QuerySet[PackedLog]:
        return super().get_queryset().none()


class PackedLog(models.Model):
    """The whole log of a finished game in one compressed record, in place of its rows (see `log`).

    Nothing leads here from a game, and the default manager knows no record.
    """

    game = models.OneToOneField(
        "games.Game", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    begins = models.DateTimeField()  # the first fact; the times of the others count from it
    count = models.PositiveIntegerField()
    facts = models.BinaryField()

    objects = NoRecords()
    unsealed = models.Manager["PackedLog"]()

    if TYPE_CHECKING:
        game_id: int

    class Meta:
        default_manager_name = "objects"

    def __str__(self) -> str:
        return f"{self.game_id}: {self.count} facts"
