"""Models of questions about decisions of finished games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import people
from games.models.game import LONGEST_CODE, Game, new_code


class Question(models.Model):
    """A link `/q/<word>` to a decision of a finished game, showing only what its player knew.

    Each decision has at most one link with names and one without; asking again returns the same.
    """

    word = models.CharField(max_length=LONGEST_CODE, unique=True, default=new_code)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="questions")
    moment = models.PositiveIntegerField()  # the moment that shows the move, from 1
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


class DailyRound(models.Model):
    """The question of a day: a decision that everybody is asked about.

    It contains all its data, so that neither a game nor a name is needed to show it.
    """

    day = models.DateField()  # see `questions.days`
    kind_key = models.CharField(max_length=20)
    size = models.PositiveSmallIntegerField()  # seats
    # The facts of the game up to the reveal of the round, as JSON; empty once it was withdrawn.
    facts = models.JSONField()
    moment = models.PositiveIntegerField()  # the moment that shows the move, from 1
    # The value of each choice, if it could be judged; see `optional_parts.Judgement`.
    judgement = models.JSONField(null=True, blank=True, default=None)
    # Its source, one of these two, so that no decision is asked about twice.
    shipped = models.CharField(max_length=40, blank=True)  # its name in the set of the game
    game = models.ForeignKey(
        Game, on_delete=models.SET_NULL, null=True, blank=True, related_name="daily_rounds"
    )
    # The person who decided; None: a bot, or a person with a deleted account.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    if TYPE_CHECKING:
        game_id: int | None
        decided_by_id: int | None

    class Meta:
        verbose_name = _("question of the day")
        verbose_name_plural = _("questions of the day")
        ordering = ["-day", "-pk"]
        default_permissions = ("view",)
        permissions = [("withdraw_dailyround", "Can take out a question of the day")]
        constraints = [
            # Only one of several processes can choose it; after a withdrawal another is chosen.
            models.UniqueConstraint(
                fields=["day"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_round_per_day",
            ),
        ]

    def __str__(self) -> str:
        return self.day.isoformat()


class DailyAnswer(models.Model):
    """A person's answer to a question of the day; the first answer is final."""

    round = models.ForeignKey(DailyRound, on_delete=models.CASCADE, related_name="answers")
    person = people.person(related_name="daily_answers")
    choice = models.CharField(max_length=100)  # see `core.codec.key_of`
    # Early enough to count for a streak of days.
    in_time = models.BooleanField()
    # Whether it is part of the shown totals, which limit the guests counted per address.
    counted = models.BooleanField()
    answered_at = models.DateTimeField()

    if TYPE_CHECKING:
        round_id: int
        person_id: int

    class Meta:
        verbose_name = _("answer to a question of the day")
        verbose_name_plural = _("answers to questions of the day")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["round", "person"], name="one_answer_per_person"),
        ]
        indexes = [
            models.Index(
                fields=["round", "choice"],
                name="daily_tally",
                condition=models.Q(counted=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.choice}"


class MistakeAnswer(models.Model):
    """A person's latest answer to a question about one of their own mistakes.

    `study.questions.mistakes` keeps a limited number of them for each person.
    """

    person = people.person(related_name="mistake_answers")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    moment = models.PositiveIntegerField()  # the moment that shows the move, from 1
    right = models.BooleanField()
    answered_at = models.DateTimeField()

    if TYPE_CHECKING:
        game_id: int
        person_id: int

    class Meta:
        verbose_name = _("answer to a mistake")
        verbose_name_plural = _("answers to mistakes")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["person", "game", "moment"], name="one_answer_per_mistake"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.moment}"
