"""Model of requests for a seat at the next table, made while a game still runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class NextSeat(models.Model):
    """The request of a player who is out, or of a spectator, to play the next game.

    It is kept until the next game starts, and is valid only while the person has the page open.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    holder = models.CharField(max_length=40, blank=True, default="")  # as `Game.holder`
    home = models.CharField(max_length=32, blank=True, default="", db_default="")  # as `Seat.home`
    # When the person last had the page of the game open; None: they have closed it.
    seen_at = models.DateTimeField(null=True, blank=True)

    if TYPE_CHECKING:
        game_id: int
        user_id: int

    class Meta:
        verbose_name = _("seat at the next table")
        verbose_name_plural = _("seats at the next table")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_next_seat_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.user_id}"
