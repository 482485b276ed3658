"""The rows of the outbox: letters that wait to be sent, and how many each address was sent today.

Neither a link nor a token is ever stored: what a letter says is written when it is sent.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.sign_in_codes import SignInCode


class Letter(models.Model):
    """One letter that somebody asked for; `outbox.run` sends it and deletes the row."""

    class Kind(models.TextChoices):
        RESET = "reset"  # a link to choose a new password
        EMAIL_CHANGED = "email_changed"  # told to the address that an account had before
        CONFIRM = "confirm"  # a link by which the address of an account is confirmed
        CODE = "code"  # six digits to sign in with

    kind = models.CharField(max_length=20, choices=Kind)
    # Of a reset or a code (where it may be a name): as it was typed. Whether an account is meant is
    # looked up when the letter is sent.
    email = models.EmailField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    code = models.OneToOneField(
        SignInCode, null=True, on_delete=models.CASCADE, related_name="letter"
    )
    site = models.TextField()  # scheme and host, as in https://perudo.example
    language = models.CharField(max_length=8)  # of the request, for accounts that chose none
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            # Asking again changes nothing while the first letter is on its way.
            models.UniqueConstraint(
                fields=["email"],
                condition=models.Q(kind="reset"),
                name="one_reset_an_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class LetterCount(models.Model):
    """How many letters of a kind an address was sent on a day (UTC)."""

    recipient = models.CharField(max_length=64)  # keyed hash of the address; see outbox.recipient
    kind = models.CharField(max_length=20, choices=Letter.Kind)
    day = models.DateField(db_index=True)
    letters = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recipient", "kind", "day"], name="one_count_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.day}: {self.letters}"
