"""What Peco Peco keeps in tables of its own: the finished rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext_lazy as _


def _seat(**options: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey("games.Seat", on_delete=models.CASCADE, related_name="+", **options)


class Round(models.Model):
    """A finished round, drawn from the log in the transaction that finished it.

    While the game runs it holds only what everyone saw. `hands` and `bluffs` are added when the
    game ends.
    """

    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="peco_peco_rounds"
    )
    number = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField()  # of the fact with which its last move begins
    stake = models.CharField(max_length=3)  # the id of the Food card
    starter = _seat()
    winner = _seat(null=True, blank=True)  # None: a general defeat
    # In their order: {"accuser", "accused", "bluff"}, seats by number.
    accusations = models.JSONField()
    declarations = models.JSONField()  # by seat number, how often it said that it cannot play
    hands = models.JSONField(null=True)  # by seat number, the cards that were dealt
    bluffs = models.JSONField(null=True)  # by seat number, how many declarations were bluffs

    if TYPE_CHECKING:
        game_id: int
        starter_id: int
        winner_id: int | None

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], name="one_peco_peco_round_per_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} round {self.number}"
