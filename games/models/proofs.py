"""What proves that nobody chose the draws of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from games.core import proof
from games.models.game import Game


class OfFinishedGames(models.Manager["DrawProof"]):
    """Manager of the proofs that may be told, so that a forgotten filter cannot reveal a secret."""

    def get_queryset(self) -> models.QuerySet[DrawProof]:
        return super().get_queryset().filter(game__status=Game.Status.FINISHED)


class DrawProof(models.Model):
    """The secret of a game's draws, chosen when its table was opened, and what depends on it.

    Secret and key give every die and card of the game: until it is over, only `store.proofs` reads
    them. `root` and `key` are None until the game begins; see `core.proof`.
    """

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="+")
    secret = models.BinaryField(max_length=proof.LENGTH)
    commitment = models.BinaryField(max_length=proof.LENGTH)
    root = models.BinaryField(max_length=proof.LENGTH, null=True)
    key = models.BinaryField(max_length=proof.LENGTH, null=True)
    won_before = models.JSONField(default=list)  # the seats that won the game before

    objects = OfFinishedGames()
    unsealed = models.Manager["DrawProof"]()

    if TYPE_CHECKING:
        game_id: int

    class Meta:
        default_permissions = ()
        default_manager_name = "objects"

    def __str__(self) -> str:
        return f"{self.game_id}: {bytes(self.commitment).hex()}"
