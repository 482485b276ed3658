"""Models of reviews: a judge's review of a finished game, and its figures for each person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import people
from games.models.game import Game


class GameReview(models.Model):
    """The review of a finished game by `judge`; a review by another judge replaces it.

    It is a projection of the log, contains no names, and is kept as long as the game.
    """

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="review"
    )
    judge = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    content = models.BinaryField()  # compressed JSON, see `study.review.reviews`

    if TYPE_CHECKING:
        game_id: int

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.game_id}: {self.judge}"


class Habits(models.Model):
    """How people here play a game, fitted to finished games; the latest version is used.

    It is made by `manage.py fit_judge`, and says nothing of any one person.
    """

    kind_key = models.CharField(max_length=20)
    version = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    games = models.PositiveIntegerField()
    content = models.JSONField()  # see `optional_parts.Fitting`

    class Meta:
        verbose_name = _("habits of players")
        verbose_name_plural = _("habits of players")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["kind_key", "version"], name="one_version_of_habits"),
        ]

    def __str__(self) -> str:
        return f"{self.kind_key}: {self.version}"


class ReviewedPlay(models.Model):
    """The figures of a game's review for one person, which their page adds up.

    They are chances to win, from 0 to 1, or None if the judge did not compute them.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    kind_key = models.CharField(max_length=20)
    judge = models.CharField(max_length=40)
    finished_at = models.DateTimeField()
    judged = models.BooleanField()  # whether its decisions have a value
    decisions = models.PositiveIntegerField()
    accuracy = models.FloatField(null=True)
    inaccuracies = models.PositiveIntegerField()
    mistakes = models.PositiveIntegerField()
    blunders = models.PositiveIntegerField()
    own = models.FloatField(null=True)
    gifts = models.FloatField(null=True)
    luck = models.FloatField(null=True)
    residual = models.FloatField(null=True)
    # The boldest move that was not caught (see `optional_parts.Judge`), and its chance to be true.
    boldest = models.JSONField(null=True)
    boldest_chance = models.FloatField(null=True)
    # The doubt that was right and least likely so, with its chance to be right.
    best_read = models.JSONField(null=True)
    best_read_chance = models.FloatField(null=True)

    if TYPE_CHECKING:
        game_id: int
        user_id: int

    class Meta:
        verbose_name = _("reviewed play")
        verbose_name_plural = _("reviewed plays")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_reviewed_play"),
        ]
        indexes = [
            # For the latest figures of a person, which their page adds up.
            models.Index(
                fields=["user", "kind_key", "judge", "-finished_at"],
                name="reviewed_latest",
                condition=models.Q(judged=True),
            ),
            # For the boldest moves of a person.
            models.Index(
                fields=["user", "kind_key", "boldest_chance"],
                name="reviewed_boldest",
                condition=models.Q(boldest_chance__isnull=False),
            ),
            # For the best read of a person.
            models.Index(
                fields=["user", "kind_key", "best_read_chance"],
                name="reviewed_best_read",
                condition=models.Q(best_read_chance__isnull=False),
            ),
            # For the number of a person's games that were reviewed lately.
            models.Index(fields=["finished_at", "user"], name="reviewed_lately"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game_id}"


class Belief(models.Model):
    """A player of a finished game would have believed a bold claim of another player too.

    `study.review.beliefs` lets only a few claims of each game be believed.
    """

    person = people.person(related_name="+", db_index=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    moment = models.PositiveIntegerField()  # the moment that shows the claim, from 1
    pressed_at = models.DateTimeField()

    if TYPE_CHECKING:
        game_id: int
        person_id: int

    class Meta:
        verbose_name = _("believed claim")
        verbose_name_plural = _("believed claims")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["person", "game", "moment"], name="one_belief_per_claim"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.moment}"
