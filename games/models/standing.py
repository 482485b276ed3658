"""Models of standing tables: permanent links under which a group plays game after game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_WORD = 30


class StandingTable(models.Model):
    """A link `/t/<word>` with stored settings, referenced by its games (`Game.standing`).

    Everybody with the link may join the next game, and see who plays and who played last.
    """

    word = models.CharField(max_length=LONGEST_WORD, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="standing_tables"
    )
    # The fields of `TableSettings` by name, as JSON.
    settings = models.JSONField()
    # The owner's language at its creation, for link previews; "": the reader's.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    # The address whose quota it uses, as a keyed hash (see `views.holder`).
    holder = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    created_at = models.DateTimeField()

    if TYPE_CHECKING:
        owner_id: int

    class Meta:
        verbose_name = _("standing table")
        verbose_name_plural = _("standing tables")
        ordering = ["pk"]
        default_permissions = ()
        indexes = [
            models.Index(fields=["holder", "created_at"], name="standing_holder"),
        ]

    def __str__(self) -> str:
        return self.word


class FormerWord(models.Model):
    """A former word of a standing table; its page says that the link was renewed."""

    word = models.CharField(max_length=LONGEST_WORD, unique=True)
    table = models.ForeignKey(StandingTable, on_delete=models.CASCADE, related_name="former_words")

    class Meta:
        verbose_name = _("former link of a standing table")
        verbose_name_plural = _("former links of standing tables")
        ordering = ["pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.word
