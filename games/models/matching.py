"""The model of matching: who looks for people to play with, and how they stand in line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Search(models.Model):
    """Somebody who pressed *Play with people*; a person has one, so nobody stands in line twice.

    Their place in line is a seat at an open quick table, `table`. What is left of a search that is
    over stays for some minutes: it says what the person missed, or how often they left.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("alone in line")
        ASKED = "asked", _("must answer")  # somebody came
        READY = "ready", _("ready")  # has answered, or has just pressed
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
    device = models.CharField(max_length=16, blank=True)  # the tag of a session: where they look
    met = models.JSONField(default=list)  # of a missed table: the ids of who was there
    # How often, up to the last time, they left a table that counted down, or did not answer.
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


# In line: with a seat at an open quick table.
IN_LINE: Final = (Search.State.WAITING, Search.State.ASKED, Search.State.READY)
