"""Models of web push: subscribed browsers, each person's choices, and the queue of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.people import person

LONGEST_ENDPOINT = 1000


class PushSubscription(models.Model):
    """One browser of a person, as its push service knows it (RFC 8030, RFC 8291).

    `endpoint` is a capability URL, with which anybody may try to send, so it is never shown or
    logged. The subscription ends with the sign-in in which it was made: `device` is the tag of that
    session, and `sign_in` changes with the password.
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
    # The address whose quota it uses, as a keyed hash (see `views.holder`).
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


class PushKey(models.Model):
    """The private key with which the site signs pushes (RFC 8292): one row, never replaced."""

    private_key = models.TextField()  # PEM, or base64url

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"push key #{self.pk}"


class PushChoice(models.Model):
    """The push notifications a person wants while no page is open; no row until they choose."""

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
        _("Somebody is waiting for a game, twice a day at most"), default=False
    )
    question = models.BooleanField(_("The question of the day"), default=False)
    meeting = models.BooleanField(_("The meeting hour, ten minutes before"), default=False)
    # The hours in `zone` between which nothing is sent; None: there are no quiet hours.
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True)
    zone = models.CharField(max_length=64, blank=True)  # of the tz database; "": UTC
    # For notifications to many people: when this person got the last, and how many on that day.
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
    """A message queued for one browser; the row is deleted when the push service has accepted it.

    A later message with the same kind and subject replaces it. Its text is built when it is sent,
    so no name is stored here.
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
