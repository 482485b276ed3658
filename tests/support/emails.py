"""Sends what waits in the outbox, as the thread of a server does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from accounts import outbox


def send_due_emails(*, later: timedelta = timedelta()) -> Sequence[EmailMessage]:
    """The letters that leave now, or so much `later`; the oldest first."""
    before = len(getattr(mail, "outbox", []))
    outbox.run(timezone.now() + later, 60)
    return mail.outbox[before:]
