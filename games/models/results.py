"""Models of finished games: results, tallies and packed logs.

All are projections of the log and the seats, so that no page has to count games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from django.conf import settings
from django.db import connection, models


class Result(models.Model):
    """A finished game of one person, as lists order and filter it.

    It repeats columns of its seat and its game and never changes after the game. One index
    therefore serves every query of a person's list, whatever the number of games.
    """

    seat = models.OneToOneField(
        "games.Seat", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    kind_key = models.CharField(max_length=20, db_column="game_key")
    finished_at = models.DateTimeField()
    place = models.PositiveSmallIntegerField()  # 1 is the winner
    left = models.BooleanField()  # before the end, or a bot played on: neither won nor lost
    preset = models.CharField(max_length=30)
    variant = models.CharField(max_length=20, blank=True)  # a key of the game's own, or ""
    public = models.BooleanField()

    if TYPE_CHECKING:
        seat_id: int
        user_id: int

    class Meta:
        indexes = [
            # For a person's list, newest first. The index includes the columns of the filters, so
            # that rows that do not match are never fetched.
            models.Index(
                fields=[
                    *("user", "-finished_at", "-seat"),
                    *("kind_key", "place", "left", "preset", "variant", "public"),
                ],
                name="result_list",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: place {self.place}"


class Tallies(models.Manager["Tally"]):
    """Manager with the only method that writes tallies."""

    def add(self, kind_key: str, counts: Mapping[int, Mapping[str, int]]) -> None:
        """Add to the counters of several people, by user id and counter; creates missing rows.

        Each counter is one upsert in which the database adds, so concurrent games lose no count.
        Rows are locked in a fixed order, so that two games never deadlock. Runs in the caller's
        transaction, in which the game ended.
        """
        rows = [
            (user, kind_key, counter, value)
            for user, counters in sorted(counts.items())
            for counter, value in sorted(counters.items())
            if value
        ]
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(_ADD, rows)


_ADD: Final = (
    'INSERT INTO "games_tally" ("user_id", "game_key", "counter", "value") VALUES (%s, %s, %s, %s) '
    'ON CONFLICT ("user_id", "game_key", "counter") '
    'DO UPDATE SET "value" = "games_tally"."value" + EXCLUDED."value"'
)


class Tally(models.Model):
    """How often something happened to a person in the finished games of one game.

    Every game counts `left` (games in no place, see `Seat.left`) and `place_1`, `place_2` …, and
    those of `play.throws`; the game's statistics define the other counters. A counter of 0 has no
    row.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind_key = models.CharField(max_length=20, db_column="game_key")
    counter = models.CharField(max_length=30)
    value = models.PositiveIntegerField()

    objects = Tallies()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind_key", "counter"], name="one_tally_per_counter"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind_key} {self.counter} {self.value}"


class SiteTallies(models.Manager["SiteTally"]):
    """Manager with the only method that writes tallies of the site."""

    def add(self, kind_key: str, counts: Mapping[str, int], *, part: int) -> None:
        """Add to the counters of a game, as `Tallies.add` does to those of people.

        `part` is any number; games with different ones seldom wait for each other.
        """
        rows = [
            (kind_key, counter, part % SiteTally.PARTS, value)
            for counter, value in sorted(counts.items())
            if value
        ]
        if rows:
            with connection.cursor() as cursor:
                cursor.executemany(_ADD_TO_SITE, rows)

    def counted(self, kind_key: str) -> dict[str, int]:
        """Return the counters of a game; this reads a few rows, however many games there were."""
        rows = self.filter(kind_key=kind_key).values_list("counter")
        return dict(rows.annotate(models.Sum("value")))


_ADD_TO_SITE: Final = (
    'INSERT INTO "games_sitetally" ("kind_key", "counter", "part", "value") '
    'VALUES (%s, %s, %s, %s) ON CONFLICT ("kind_key", "counter", "part") '
    'DO UPDATE SET "value" = "games_sitetally"."value" + EXCLUDED."value"'
)


class SiteTally(models.Model):
    """How often something happened in all finished games of one game, to bots too.

    The value of a counter is the sum of its parts: with one row for each, all games that end would
    wait for the same rows.
    """

    PARTS: ClassVar = 16

    kind_key = models.CharField(max_length=20)
    counter = models.CharField(max_length=30)
    part = models.PositiveSmallIntegerField()
    value = models.PositiveBigIntegerField()

    objects = SiteTallies()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["kind_key", "counter", "part"], name="one_site_tally_per_part"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind_key} {self.counter} {self.part}: {self.value}"


class NoRecords(models.Manager["PackedLog"]):
    """Manager that returns no rows, because a record contains every hand of its game."""

    def get_queryset(self) -> models.QuerySet[PackedLog]:
        return super().get_queryset().none()


class PackedLog(models.Model):
    """The whole log of a finished game in one compressed record (see `store.event_log`).

    `Game` has no reverse relation to it, and the default manager returns no record.
    """

    game = models.OneToOneField(
        "games.Game", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    begins = models.DateTimeField()  # time of the first fact; later times are relative to it
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
