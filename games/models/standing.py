"""Models of standing tables: a permanent link at which a group meets for game after game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_WORD = 30


class StandingTable(models.Model):
    """A link `/t/<word>` with rules that are kept; its games name it (`Game.standing`).

    Who has the link may sit down at the next game, and see who plays and who played last.
    """

    word = models.CharField(max_length=LONGEST_WORD, unique=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="standing_tables"
    )
    # `TableSettings` by the names of its fields, in JSON.
    settings = models.JSONField()
    # Of the owner when it was made, for link previews; "": of the reader.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    # Whose address it counts for: a keyed hash (see `views.holder`).
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
    """A word that a standing table no longer has: its page says that the link was renewed."""

    word = models.CharField(max_length=LONGEST_WORD, unique=True)
    table = models.ForeignKey(StandingTable, on_delete=models.CASCADE, related_name="former_words")

    class Meta:
        verbose_name = _("former link of a standing table")
        verbose_name_plural = _("former links of standing tables")
        ordering = ["pk"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.word
