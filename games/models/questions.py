"""Models of questions: decisions of finished games that others are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import LONGEST_CODE, Game, new_code


class Question(models.Model):
    """A link `/q/<word>` to a decision of a finished game, with nothing that its player did not
    know.

    One for each decision, and a second one without names: asking again gives the same link.
    """

    word = models.CharField(max_length=LONGEST_CODE, unique=True, default=new_code)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="questions")
    moment = models.PositiveIntegerField()  # that shows what the player did, from 1
    named = models.BooleanField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="questions"
    )
    created_at = models.DateTimeField()

    if TYPE_CHECKING:
        game_id: int
        asked_by_id: int | None

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["game", "moment", "named"], name="one_question_per_decision"
            ),
        ]

    def __str__(self) -> str:
        return self.word
