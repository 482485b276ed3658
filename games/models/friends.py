"""Models of friends: ties between two people, and the links by which one becomes a friend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.people import person
from games.models.standing import LONGEST_WORD


class Tie(models.Model):
    """Two people who are friends, or of whom one has asked the other.

    One row for both, in the order of their keys, so that two who ask each other at once meet in it.
    A question that was declined stays a while: who asked is not told, and does not ask again.
    """

    first = person(related_name="+")
    second = person(related_name="+")
    asked_by = person(related_name="+")
    asked_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)

    if TYPE_CHECKING:
        first_id: int
        second_id: int
        asked_by_id: int

    class Meta:
        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        ordering = ["pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="one_tie_of_two"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="tie_in_order"),
            models.CheckConstraint(
                condition=Q(asked_by=F("first")) | Q(asked_by=F("second")), name="tie_asked_by_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"


class FriendLink(models.Model):
    """The link `/f/<word>` of an account: who opens it and wants to is a friend at once."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="friend_link",
    )
    word = models.CharField(max_length=LONGEST_WORD, unique=True)

    if TYPE_CHECKING:
        owner_id: int

    class Meta:
        verbose_name = _("link to a friend")
        verbose_name_plural = _("links to friends")
        default_permissions = ()

    def __str__(self) -> str:
        return f"link of {self.owner_id}"  # without the word, which is a secret


class Presence(models.Model):
    """When a person who has friends was last here; see `friends.presence`."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    seen_at = models.DateTimeField(null=True, blank=True)

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user_id} was here"
