"""The log of facts of each game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.core.contract import Audience
from games.models.game import Game


class AudienceField(models.PositiveSmallIntegerField):
    """The audience of a fact (see `core.contract.Audience`) as one number.

    A single seat is stored as its number; several seats, or none, as 256 plus a bit for each seat.
    """

    SEVERAL = 256

    if TYPE_CHECKING:
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: int | None, *_: object) -> Audience:
        return self.decode(value)

    def to_python(self, value: object) -> object:
        return self.decode(value) if isinstance(value, int) else value

    def get_prep_value(self, value: object) -> object:
        return self.encode(value) if isinstance(value, tuple) else value

    @classmethod
    def encode(cls, audience: Audience) -> int | None:
        if audience is None:
            return None
        if len(audience) == 1:
            return audience[0]
        return cls.SEVERAL + sum(1 << seat for seat in audience)

    @classmethod
    def decode(cls, value: int | None) -> Audience:
        if value is None:
            return None
        if value < cls.SEVERAL:
            return (value,)
        return tuple(seat for seat in range(8) if value >> seat & 1)


class PublicFacts(models.Manager["FactRow"]):
    """Manager of public facts only, so that a forgotten filter cannot reveal a hidden fact."""

    def get_queryset(self) -> models.QuerySet[FactRow]:
        return super().get_queryset().filter(audience__isnull=True)


class FactRow(models.Model):
    """One fact of a game's log, the source of truth; `audience` defines who may know it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    audience = AudienceField(null=True, blank=True, db_column="only")
    kind = models.CharField(max_length=30)
    data = models.JSONField()
    at = models.DateTimeField()
    # The first fact of a move that a bot or a timeout made for a person.
    automatic = models.BooleanField(null=True)

    objects = PublicFacts()
    unsealed = models.Manager["FactRow"]()

    class Meta:
        db_table = "games_event"
        verbose_name = _("fact")
        verbose_name_plural = _("facts")
        ordering = ["seq"]
        default_manager_name = "objects"
        constraints = [
            # The optimistic lock: one of two writers of the same number fails.
            models.UniqueConstraint(fields=["game", "seq"], name="one_fact_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.seq} {self.kind}"
