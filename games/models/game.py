"""Models of tables: games, their seats and the log of facts."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from games.core import characters
from games.core.contract import Audience
from games.models.bot_names import BOT_AVATARS, BOT_NAMES

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

_CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
LONGEST_CODE = 12


def new_code() -> str:
    """The code of a table: ten characters that cannot be guessed (49 bits), none easily misread."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(10))


class Game(models.Model):
    """A table from the moment it is opened. `seq` counts every change a screen must show."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("in progress")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed")

    class Visibility(models.TextChoices):
        """Who finds a table. Everybody who has its link may come in."""

        PUBLIC = "public", _("Public (listed in the lobby)")
        LINK = "link", _("Private (link only)")

    class Origin(models.TextChoices):
        """Where a table comes from."""

        HAND = "", _("made by hand")
        QUICK = "quick", _("for people who want to play now")  # see `games.matching`
        WARM_UP = "warm_up", _("warm-up")  # until people come; it counts for nothing
        AGAIN = "again", _("tried again")  # from a moment of another; it counts for nothing

    code = models.CharField(max_length=LONGEST_CODE, unique=True, default=new_code, editable=False)
    kind_key = models.CharField(max_length=20, db_column="rules")  # its key in the catalogue
    preset = models.CharField(max_length=30)
    options = models.JSONField()
    size = models.PositiveSmallIntegerField()
    # "": written by a process of the version before, which knows `listed` alone.
    visibility = models.CharField(
        max_length=10, choices=Visibility, blank=True, default=Visibility.PUBLIC, db_default=""
    )
    # Whether that is `PUBLIC`, for the indexes and for processes of the version before.
    listed = models.BooleanField(default=True, db_column="public")
    # Whether it may count for ratings: the wish of the table. Nobody can choose it yet.
    rated = models.BooleanField(default=False, db_default=False)
    origin = models.CharField(
        max_length=10, choices=Origin, blank=True, default=Origin.HAND, db_default=""
    )
    # The decision that is tried again in this game: that which this moment of that one shows.
    from_game = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    from_moment = models.PositiveIntegerField(null=True, blank=True)
    # When the countdown of an open quick table ends; None: one person waits there.
    starts_at = models.DateTimeField(null=True, blank=True)
    chat = models.BooleanField(default=True)  # free text; quick phrases are always available
    turn_seconds = models.PositiveIntegerField(null=True, blank=True)  # None: no time limit
    # Of the host when the table was created, for link previews; "": of the reader.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    # A key of `play.tempo`; "": from before there was a choice.
    tempo = models.CharField(max_length=10, blank=True, default="", db_default="")
    show_odds = models.BooleanField(default=False)  # each seat reads how likely a bid is
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_games"
    )
    # Before the start: who may start it while the host is away.
    acting_host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Whom the host has removed before the start; emptied when the table begins or closes.
    removed = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, editable=False, related_name="+"
    )
    # The standing table that it is a game of; anybody who sits there may then start it. Its index
    # is the one below, of the few rows that name one.
    standing = models.ForeignKey(
        "StandingTable", null=True, blank=True, on_delete=models.SET_NULL, db_index=False,
        related_name="games",
    )  # fmt: skip
    # At an open rematch: until when free seats are those of who played the game before.
    seats_kept_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    closed_by_staff = models.BooleanField(default=False, db_default=False)

    seq = models.PositiveIntegerField(default=0)
    turn_seq = models.PositiveIntegerField(default=0)  # a move must have seen at least this
    deal_seq = models.PositiveIntegerField(default=0)  # sealed facts before it no longer matter
    sealed_seq = models.PositiveIntegerField(default=0)  # of the last fact only one seat knows
    seats_seq = models.PositiveIntegerField(default=0)  # when a seat last changed, once begun
    opens_at = models.DateTimeField(null=True, blank=True)  # the calza delay ends
    turn_ends_at = models.DateTimeField(null=True, blank=True)  # the time people are shown
    # Without a time limit: when the longest silence ends, which no clock shows.
    silence_ends_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # when the scheduler looks at this game
    # Then nobody's time is up: a bot moves, or bots are asked. It may wait when much is due.
    bots_due = models.BooleanField(default=False, db_default=False)
    watched_at = models.DateTimeField(null=True, blank=True)  # a person moved, or had its page open
    # Bots play to the end without pauses.
    skipping = models.BooleanField(default=False, db_default=False)
    # Who it counts for while it is not over: a keyed hash of an address (see `views.holder`).
    holder = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    solo = models.BooleanField(default=False, db_default=False)  # begun by one person against bots
    paused_at = models.DateTimeField(null=True, blank=True)  # to make room for others

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    pack_at = models.DateTimeField(null=True, blank=True)  # when the log is packed
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch_of"
    )

    if TYPE_CHECKING:
        seat_set: RelatedManager[Seat]
        factrow_set: RelatedManager[FactRow]
        host_id: int
        acting_host_id: int | None
        from_game_id: int | None
        rematch_id: int | None
        standing_id: int | None

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        permissions = [("close_game", "Can close a table")]
        indexes = [
            # The scheduler asks for what is due, the lobby for the public ones of a status.
            models.Index(fields=["due_at"], name="game_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["status", "listed", "-created_at"], name="game_lobby"),
            models.Index(
                fields=["-finished_at"],
                name="game_latest",
                condition=Q(status="finished", listed=True),
            ),
            # Those of the last day are looked through for reviews.
            models.Index(
                fields=["-finished_at"], name="game_finished", condition=Q(status="finished")
            ),
            models.Index(fields=["host"], name="game_open", condition=Q(status="open")),
            models.Index(fields=["pack_at"], name="game_pack", condition=Q(pack_at__isnull=False)),
            models.Index(fields=["holder"], name="game_holder", condition=~Q(holder="")),
            models.Index(
                fields=["starts_at"],
                name="game_quick",
                condition=Q(origin="quick", status="open"),
            ),
            models.Index(
                fields=["created_at"],
                name="game_warm_up",
                condition=Q(origin="warm_up", status="playing"),
            ),
            models.Index(
                fields=["standing", "-id"],
                name="game_standing",
                condition=Q(standing__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(size__range=(2, 8)), name="game_size"),
            models.CheckConstraint(
                condition=Q(visibility="")
                | Q(visibility="public", listed=True)
                | (~Q(visibility__in=["", "public"]) & Q(listed=False)),
                name="game_listed",
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Seat(models.Model):
    """A place at a table, taken by a person or a bot; numbered from 0 to the left (P3)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT
    )
    bot = models.CharField(max_length=20, blank=True)
    missed = models.PositiveSmallIntegerField(default=0)  # turns in a row that timed out
    asleep = models.BooleanField(default=False)  # a bot plays until the person is back
    gone = models.BooleanField(default=False)  # left the game for good
    skips = models.BooleanField(default=False, db_default=False)  # is out, wants to see the end
    # Everybody else has left, and this person wants to play on against the bots.
    plays_on = models.BooleanField(default=False, db_default=False)
    # When somebody had the page open who is out, waits for the beginning, or may want a rematch.
    seen_at = models.DateTimeField(null=True, blank=True)
    # When its page was last in view, as processes tell each other (see `play.open_pages`).
    present_at = models.DateTimeField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the winner
    live = models.BooleanField(default=True)  # the table is open or playing

    if TYPE_CHECKING:
        game_id: int
        user_id: int | None

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number"]
        indexes = [
            # Of the thousands of seats somebody has had, the few at tables that are not over.
            models.Index(fields=["user"], name="seat_live", condition=Q(live=True)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_per_person"),
            models.CheckConstraint(
                condition=Q(user__isnull=True) ^ Q(bot=""), name="a_person_or_a_bot"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number}"

    @property
    def name(self) -> str:
        """The name shown at the table."""
        if self.user is not None:
            return self.user.shown_name
        if character := characters.find(self.bot):
            return character.name
        return pgettext("name of a bot", BOT_NAMES[self.number % len(BOT_NAMES)])

    @property
    def avatar(self) -> dict[str, str]:
        """The keys of the avatar shown at the table: `animal`, `cloth` and `weave`, and for a
        character the file of its `drawings`.
        """
        if self.user is not None:
            return self.user.avatar
        if character := characters.find(self.bot):
            return character.avatar
        animal, cloth, weave = BOT_AVATARS[self.number % len(BOT_AVATARS)]
        return {"animal": animal, "cloth": cloth, "weave": weave}

    @property
    def held(self) -> bool:
        """Whether the server plays this seat for now."""
        return bool(self.bot) or self.asleep or self.gone

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays for the person of this seat, or did when the game ended."""
        return self.user_id is not None and self.asleep and not self.gone

    @property
    def left(self) -> bool:
        """Whether a person did not play the game to its end: left, or replaced by a bot for good.

        It is known once the seat is out or the game over; until then somebody may come back.
        """
        return self.user_id is not None and (self.gone or self.asleep)


class AudienceField(models.PositiveSmallIntegerField):
    """Who may know a fact (see `core.contract.Audience`), as one number.

    A single seat is stored as its number; several seats, or none, as 256 plus a bit for each seat.
    """

    SEVERAL = 256

    if TYPE_CHECKING:
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def from_db_value(self, value: int | None, *_: Any) -> Audience:
        return self.decode(value)

    def to_python(self, value: Any) -> Any:
        return self.decode(value) if isinstance(value, int) else value

    def get_prep_value(self, value: Any) -> Any:
        return self.encode(value) if isinstance(value, tuple) else value

    @classmethod
    def encode(cls, audience: Audience) -> int | None:
        if audience is None:
            return None
        if len(audience) == 1:
            return audience[0]
        return cls.SEVERAL + sum(1 << seat for seat in audience)

    @classmethod
    def decode(cls, value: int | None) -> Audience:
        if value is None:
            return None
        if value < cls.SEVERAL:
            return (value,)
        return tuple(seat for seat in range(8) if value >> seat & 1)


class PublicFacts(models.Manager["FactRow"]):
    """Only what everybody may know, so that a forgotten filter cannot show a hidden fact."""

    def get_queryset(self) -> models.QuerySet[FactRow]:
        return super().get_queryset().filter(audience__isnull=True)


class FactRow(models.Model):
    """One fact of a game's log, which is the source of truth; `audience`: who may know it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    audience = AudienceField(null=True, blank=True, db_column="only")
    kind = models.CharField(max_length=30)
    data = models.JSONField()
    at = models.DateTimeField()
    # The first fact of a move that a bot or a timeout made for a person.
    automatic = models.BooleanField(null=True)

    objects = PublicFacts()
    unsealed = models.Manager["FactRow"]()

    class Meta:
        db_table = "games_event"
        verbose_name = _("fact")
        verbose_name_plural = _("facts")
        ordering = ["seq"]
        default_manager_name = "objects"
        constraints = [
            # The optimistic lock: of two writers of the same number one fails.
            models.UniqueConstraint(fields=["game", "seq"], name="one_fact_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.seq} {self.kind}"
