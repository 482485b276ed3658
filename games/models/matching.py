"""Model of matching: people who look for others to play with, and their place in line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Search(models.Model):
    """The search of a person who pressed *Play with people*; each person has at most one.

    Their place in line is a seat at an open quick table, `table`. The row is kept for some minutes
    after the search, to show what the person missed, and to count how often they left.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("alone in line")
        ASKED = "asked", _("must answer")  # somebody came
        # Has answered, or just pressed the button.
        READY = "ready", pgettext_lazy("to begin", "ready")
        SEATED = "seated", _("at the table")  # the game has begun
        MISSED = "missed", _("did not answer")  # the place was given back
        LEFT = "left", _("left")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="search"
    )
    state = models.CharField(max_length=10, choices=State)
    choice = models.CharField(max_length=20, blank=True)  # a key of the catalogue; "": any game
    bots = models.BooleanField(default=True)  # fill empty seats with bots
    table = models.ForeignKey(
        "games.Game", null=True, on_delete=models.SET_NULL, related_name="searches"
    )
    holder = models.CharField(max_length=40)  # as `Game.holder`
    device = models.CharField(max_length=16, blank=True)  # the tag of the session that searches
    met = models.JSONField(default=list)  # the ids of the people at a missed table
    # How often they left during a countdown or did not answer, and the last time they did.
    leaves = models.PositiveSmallIntegerField(default=0)
    left_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when a page of theirs was last open

    if TYPE_CHECKING:
        user_id: int
        table_id: int | None

    class Meta:
        verbose_name = _("search for people")
        verbose_name_plural = _("searches for people")
        default_permissions = ()
        indexes = [
            models.Index(fields=["changed_at"], name="search_age"),
            models.Index(fields=["holder"], name="search_holder"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.state}"


# The states of people in line, with a seat at an open quick table.
IN_LINE: Final = (Search.State.WAITING, Search.State.ASKED, Search.State.READY)
