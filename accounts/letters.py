"""Models of the outbox: emails that wait to be sent, and how many each address got on a day.

Links and tokens are never stored: the text of an email is written when it is sent.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.sign_in_codes import SignInCode


class Letter(models.Model):
    """One requested email; `outbox.run` sends it and deletes the row."""

    class Kind(models.TextChoices):
        RESET = "reset"  # a link to choose a new password
        EMAIL_CHANGED = "email_changed"  # a notice to the previous address of an account
        CONFIRM = "confirm"  # a link that confirms the address of an account
        CODE = "code"  # six digits to sign in with

    kind = models.CharField(max_length=20, choices=Kind)
    # For a reset or a code: the text as typed (for a code it may be a name). The account is looked
    # up when the email is sent.
    email = models.EmailField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+"
    )
    code = models.OneToOneField(
        SignInCode, null=True, on_delete=models.CASCADE, related_name="letter"
    )
    # Who asked, as returned by `attempts.asks_for`; "" if only the owner can ask.
    asker = models.CharField(max_length=64, blank=True, default="", db_default="")
    site = models.TextField()  # scheme and host, as in https://perudo.example
    language = models.CharField(max_length=8)  # of the request, for accounts that chose none
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            # A second request changes nothing while the first email waits.
            models.UniqueConstraint(
                fields=["email"],
                condition=models.Q(kind="reset"),
                name="one_reset_an_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class LetterCount(models.Model):
    """Number of emails of a kind sent to an address on a day (UTC)."""

    # Keyed hash of the address, alone or with the asker; see outbox.recipient.
    recipient = models.CharField(max_length=64)
    kind = models.CharField(max_length=20, choices=Letter.Kind)
    day = models.DateField(db_index=True)
    letters = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recipient", "kind", "day"], name="one_count_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.day}: {self.letters}"
