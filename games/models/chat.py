"""Models of the chat: messages, mutes, bans and reports."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.people import person


class ChatMessage(models.Model):
    """A chat message of a person at a table: a quick phrase or free text.

    It refers to the person rather than the seat, since people leave open tables and seats are
    renumbered. A row with neither phrase nor text was withdrawn when its author was deleted.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE)
    by = person()
    at = models.DateTimeField()
    phrase = models.CharField(max_length=20, blank=True)  # a key of `chat.phrases.PHRASES`
    text = models.CharField(max_length=200, blank=True)
    hidden = models.BooleanField(default=False)  # by staff, from everybody

    class Meta:
        db_table = "games_saying"
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(phrase="") | Q(text=""), name="phrase_or_text"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk} at {self.game_id}"  # in the staff log, so without the text


class Mute(models.Model):
    """`by` sees no message of `whom`; if `blocked`, `whom` also may not join tables `by` hosts."""

    by = person(related_name="mutes")
    whom = person(related_name="+")
    blocked = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="one_mute_a_person"),
            models.CheckConstraint(
                condition=~Q(by=models.F("whom")), name="nobody_mutes_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} mutes {self.whom_id}"


class ChatBan(models.Model):
    """A moderator's ban of `whom` from all chats, until a time or for good (None)."""

    whom = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_ban"
    )
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "games_silence"
        verbose_name = _("chat ban")
        verbose_name_plural = _("chat bans")
        default_permissions = ()
        permissions = [("ban_from_chat", "Can ban a person from the chat")]

    def __str__(self) -> str:
        return f"{self.whom_id} until {self.until}"


class Report(models.Model):
    """A report of `by` to the moderators about `whom`, or about one of their messages."""

    class Reason(models.TextChoices):
        INSULT = "insult", _("Insults or threats")
        SPAM = "spam", _("Advertising or spam")
        NAME = "name", _("Offensive name")
        COLLUSION = "collusion", _("Collusion")
        OTHER = "other", _("Something else")

    class Outcome(models.TextChoices):
        ACTED = "acted", _("Action was taken")
        NOTHING = "nothing", _("No rules were broken")

    by = person(related_name="reports")
    whom = person(related_name="+")
    game = models.ForeignKey("games.Game", null=True, blank=True, on_delete=models.CASCADE)
    message = models.ForeignKey(
        ChatMessage, null=True, blank=True, on_delete=models.CASCADE, db_column="saying_id"
    )
    reason = models.CharField(max_length=10, choices=Reason)
    words = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    handled = models.BooleanField(default=False)
    outcome = models.CharField(  # "": not handled yet, or older than this field
        max_length=10, choices=Outcome, blank=True, default="", db_default=""
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = [
            models.UniqueConstraint(fields=["by", "message"], name="one_report_a_saying"),
            models.UniqueConstraint(
                fields=["by", "whom"],
                condition=Q(message__isnull=True, handled=False),
                name="one_open_report_a_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.whom_id}: {self.reason}"
