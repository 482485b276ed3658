"""Models of friends: ties between two people, links that make friends, and presence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.people import person
from games.models.standing import LONGEST_WORD


class Tie(models.Model):
    """A friendship of two people, or a friend request from one to the other.

    There is one row for both, in the order of their keys, so that concurrent requests of both meet
    in it. A declined request is kept for a while, hidden from the person who sent it, so that they
    do not send it again. If they withdraw it in the meantime, it disappears for them like any
    other. If one of two friends has blocked the other, only the blocked one sees the friendship.
    """

    first = person(related_name="+")
    second = person(related_name="+")
    asked_by = person(related_name="+")
    asked_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    # The sender has withdrawn this declined request, and no longer sees it.
    taken_back = models.BooleanField(default=False)

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
    """The link `/f/<word>` of an account; a person who opens and accepts it is a friend at once."""

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
    """When a person with friends was last on the site (see `friends.presence`)."""

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
