"""What proves that nobody chose the draws of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from games.core import proof
from games.models.game import Game, Seat


class OfFinishedGames(models.Manager["DrawProof"]):
    """Manager of the proofs that may be told, so that a forgotten filter cannot reveal a secret."""

    def get_queryset(self) -> models.QuerySet[DrawProof]:
        return super().get_queryset().filter(game__status=Game.Status.FINISHED)


class DrawProof(models.Model):
    """The secret of a game's draws, chosen when its table was opened, and what depends on it.

    Secret and key give every die and card of the game: until it is over, only `store.proofs` reads
    them. `root` and `key` are None until the game begins; see `core.proof`. With a root and no key
    the table waits for the salts of its players; with seats that were `late` and no root, for new
    parts. `parts` and `salts` are those of `Proof.to_json`; empty: no seat has added anything.
    """

    game = models.OneToOneField(Game, primary_key=True, on_delete=models.CASCADE, related_name="+")
    secret = models.BinaryField(max_length=proof.LENGTH)
    commitment = models.BinaryField(max_length=proof.LENGTH)
    root = models.BinaryField(max_length=proof.LENGTH, null=True)
    key = models.BinaryField(max_length=proof.LENGTH, null=True)
    won_before = models.JSONField(default=list)  # the seats that won the game before
    parts = models.JSONField(default=list)
    salts = models.JSONField(default=list)
    late = models.JSONField(default=list)  # the seats that did not open their first part in time

    objects = OfFinishedGames()
    unsealed = models.Manager["DrawProof"]()

    if TYPE_CHECKING:
        game_id: int

    class Meta:
        default_permissions = ()
        default_manager_name = "objects"

    def __str__(self) -> str:
        return f"{self.game_id}: {bytes(self.commitment).hex()}"


class SeatPart(models.Model):
    """What the browser of a player adds to the draws, until the game begins: the hash of a salt,
    None where a new one is waited for, and the salt once the root is fixed.
    """

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="+")
    part = models.BinaryField(max_length=proof.LENGTH, null=True)
    salt = models.BinaryField(max_length=proof.LENGTH, null=True)

    if TYPE_CHECKING:
        seat_id: int

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.seat_id}: {bytes(self.part or b'').hex()}"
