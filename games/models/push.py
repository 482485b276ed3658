"""Models of web push: the browsers that may be sent something, what each person wants, and what
waits to be sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.people import person

LONGEST_ENDPOINT = 1000


class PushSubscription(models.Model):
    """One browser of a person, as its push service knows it (RFC 8030, RFC 8291).

    `endpoint` is a capability: who has it may try to send; it is never shown or logged. The
    subscription ends with the sign-in it was made in: `device` is the tag of that session,
    `sign_in` changes with the password.
    """

    user = person(related_name="push_subscriptions")
    endpoint = models.TextField(max_length=LONGEST_ENDPOINT)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the endpoint
    p256dh = models.CharField(max_length=100)  # the browser's public key, in base64url
    auth = models.CharField(max_length=40)  # its secret, in base64url
    server_key = models.CharField(max_length=100)  # the public key that it was made for
    language = models.CharField(max_length=8)
    device = models.CharField(max_length=16)
    sign_in = models.CharField(max_length=32)
    # Whose address it counts for: a keyed hash (see `views.holder`).
    holder = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField()

    if TYPE_CHECKING:
        user_id: int

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")
        ordering = ["pk"]
        default_permissions = ()
        indexes = [models.Index(fields=["holder", "created_at"], name="push_holder")]

    def __str__(self) -> str:
        return f"{self.user_id} #{self.pk}"


class PushChoice(models.Model):
    """What a person wants to be told while no page of theirs is open. Who never chose has none."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="push_choice",
    )
    turn = models.BooleanField(_("It's my turn"), default=False)
    invitation = models.BooleanField(_("Invitations and friends"), default=False)
    table = models.BooleanField(_("A game of mine begins"), default=False)
    waiting = models.BooleanField(
        _("Somebody waits for a game, twice a day at most"), default=False
    )
    question = models.BooleanField(_("The question of the day"), default=False)
    meeting = models.BooleanField(_("The meeting hour, ten minutes before"), default=False)
    # Hours in `zone` between which nothing is sent; None: there are no such hours.
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True)
    zone = models.CharField(max_length=64, blank=True)  # of the tz database; "": UTC
    # Of what goes to many: when this person was told last, and how often on that day.
    waiting_at = models.DateTimeField(null=True)
    waiting_count = models.PositiveSmallIntegerField(default=0)
    question_day = models.DateField(null=True)
    meeting_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("push choice")
        verbose_name_plural = _("push choices")
        default_permissions = ()

    def __str__(self) -> str:
        return f"choice of {self.user_id}"

    if TYPE_CHECKING:
        user_id: int


class PushMessage(models.Model):
    """Something that waits to be sent to one browser; the row goes when its push service has it.

    There is one of a kind about a thing, and a later one takes its place. What it says is looked up
    when it is sent: no name is kept here.
    """

    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, related_name="messages"
    )
    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=40)
    switch = models.CharField(max_length=20)  # the field of `PushChoice` that it belongs to
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    expires_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    if TYPE_CHECKING:
        subscription_id: int

    class Meta:
        verbose_name = _("push message")
        verbose_name_plural = _("push messages")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "kind", "about"], name="one_push_per_thing"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.pk}"
