"""What Perudo keeps in tables of its own: the finished rounds."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


def _seat(**options: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        "games.Seat", on_delete=models.CASCADE, **{"related_name": "+"} | options
    )


class Round(models.Model):
    """A finished round, drawn from the log in the transaction that finished it."""

    class Call(models.TextChoices):
        DUDO = "dudo", _("dudo")
        CALZA = "calza", _("calza")

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField()  # of the fact that lifted the cups
    opener = _seat()
    palifico = _seat(null=True, blank=True)
    bidder = _seat(related_name="challenged_rounds")
    quantity = models.PositiveSmallIntegerField()
    face = models.PositiveSmallIntegerField()
    call = models.CharField(max_length=5, choices=Call)
    caller = _seat(related_name="called_rounds")
    count = models.PositiveSmallIntegerField()
    loser = _seat(null=True, blank=True)
    gainer = _seat(null=True, blank=True)
    hands = models.JSONField()  # by seat number, every die as it lay
    # The bid or the call was made by the clock or a bot for a person: it counts in no statistics.
    bid_automatic = models.BooleanField(null=True)
    call_automatic = models.BooleanField(null=True)

    class Meta:
        db_table = "games_round"
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_round_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.number}"
