"""Models of ratings: how strong a person is at a game, and the games that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game, Seat

# Who may stand on a leaderboard: games played; and `Rating.lower` is this many `sigma` below `mu`.
LISTED_GAMES: Final = 30
LOWER_BY: Final = 2.0


class Rating(models.Model):
    """What rated games say of a person's strength at one game, in points (see docs/ratings.md).

    It is the sum of the person's `RatedSeat`s, and is made again from them by
    `manage.py rebuild_ratings`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind_key = models.CharField(max_length=20)
    mu = models.FloatField()  # the mean, and
    sigma = models.FloatField()  # the standard deviation
    lower = models.FloatField()  # a cautious estimate, by which people are ordered
    games = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField(default=0)  # of the latest of these games
    last_at = models.DateTimeField(null=True)  # when that ended

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        default_permissions = ("view",)
        permissions = [("annul_rating", "Can annul rated games")]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind_key"], name="one_rating_per_game"),
        ]
        indexes = [
            models.Index(
                fields=["kind_key", "-lower", "last_at", "user"],
                name="rating_list",
                condition=Q(games__gte=LISTED_GAMES),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind_key} {self.mu:.0f} ± {self.sigma:.0f}"


class RatedSeat(models.Model):
    """A person's part in a rated game, written when it begins; the rest when it has counted.

    Then it has a `number`, larger than that of every earlier game of each of its people. So games
    that several processes counted at the same time are counted again in the same order.
    """

    class LeftOut(models.TextChoices):
        """Why a seat of a rated game does not count."""

        NO = "", _("it counts")
        HOME = "home", _("played from one home")
        ANNULLED = "annulled", _("annulled by staff")

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False)
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, db_index=False)
    left_out = models.CharField(max_length=10, choices=LeftOut, blank=True, default=LeftOut.NO)
    weight = models.FloatField()  # from 0 to 1, how much of the game counts
    people = models.PositiveSmallIntegerField()  # who counted when it began
    number = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(null=True)  # the end of the game
    # Among the accounts that counted and the bots; those who left come last, in that order.
    place = models.PositiveSmallIntegerField(null=True)
    places = models.PositiveSmallIntegerField(null=True)
    expected = models.FloatField(null=True)  # the place to be expected before the game
    chance = models.FloatField(null=True)  # to win, before the game
    mu_before = models.FloatField(null=True)
    sigma_before = models.FloatField(null=True)
    mu = models.FloatField(null=True)  # after the game
    sigma = models.FloatField(null=True)

    if TYPE_CHECKING:
        seat_id: int
        game_id: int
        rating_id: int

    class Meta:
        verbose_name = _("rated seat")
        verbose_name_plural = _("rated seats")
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["game", "rating"], name="rated_game"),
            models.Index(fields=["rating", "-at"], name="rated_of_person"),
            # For what has still to be counted, and for counting again from a number on.
            models.Index(
                fields=["game"],
                name="rated_not_yet",
                condition=Q(number__isnull=True, left_out=""),
            ),
            models.Index(fields=["number", "game"], name="rated_order"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number}"


class Club(models.Model):
    """A place where several people share an address and may still be rated together.

    Only the keyed hash of the address is stored.
    """

    name = models.CharField(_("name"), max_length=80)
    home = models.CharField(max_length=32, unique=True)  # as `Seat.home`

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")

    def __str__(self) -> str:
        return self.name


class RatingCorrection(models.Model):
    """Ratings of a game that have to be counted again from a number on.

    Until this is done, games that end wait to be counted.
    """

    kind_key = models.CharField(max_length=20, primary_key=True)
    number = models.PositiveIntegerField()
    asked_at = models.DateTimeField()

    class Meta:
        verbose_name = _("correction of ratings")
        verbose_name_plural = _("corrections of ratings")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.kind_key} from {self.number} on"
