"""Models of the inbox: notifications for events that no open page of the person shows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Inbox(models.Model):
    """The state of a person's inbox; `seq` counts every change that their pages must show.

    The row is created with the first notification.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="inbox"
    )
    seq = models.PositiveIntegerField(default=0)
    unread = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("inbox")
        verbose_name_plural = _("inboxes")
        default_permissions = ()

    def __str__(self) -> str:
        return f"inbox of {self.user_id} at {self.seq}"


class InboxEntry(models.Model):
    """A notification for a person, at `seq` of their inbox.

    `kind` is its type (see `inbox.kinds`) and `about` its subject. A later entry with the same kind
    and subject replaces it. `values` are plain and contain nothing that the person may not know.
    They contain no names, which may change or be deleted and are looked up for display.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="inbox_entries"
    )
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=40)
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("inbox entry")
        verbose_name_plural = _("inbox entries")
        ordering = ["-seq"]
        default_permissions = ()
        indexes = [
            models.Index(fields=["kind", "about"], name="inbox_about"),
            models.Index(fields=["created_at"], name="inbox_age"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "seq"], name="one_entry_per_number"),
            models.UniqueConstraint(fields=["user", "kind", "about"], name="one_entry_per_thing"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}#{self.seq} {self.kind}"
