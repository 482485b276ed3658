"""Models of tables: games and their seats."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from games.core import characters
from games.models.bot_names import BOT_AVATARS, BOT_NAMES

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

_CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
LONGEST_CODE = 12


def new_code() -> str:
    """Generate a table code: ten unguessable characters (49 bits), none of them easily misread."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(10))


class Game(models.Model):
    """A table from its opening on. `seq` counts every change that screens must show."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        PLAYING = "playing", _("in progress")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("closed")

    class Visibility(models.TextChoices):
        """Where a table is listed. Everybody with its link may open it."""

        PUBLIC = "public", _("Public (listed under Tables)")
        LINK = "link", _("Private (link only)")

    class Origin(models.TextChoices):
        """Where a table comes from."""

        HAND = "", _("made by hand")
        QUICK = "quick", _("for people who want to play now")  # see `games.lobby.matching`
        WARM_UP = "warm_up", _("warm-up")  # until people come; it counts for nothing
        AGAIN = "again", _("tried again")  # from a moment of another; it counts for nothing

    code = models.CharField(max_length=LONGEST_CODE, unique=True, default=new_code, editable=False)
    kind_key = models.CharField(max_length=20, db_column="rules")  # its key in the catalogue
    preset = models.CharField(max_length=30)
    options = models.JSONField()
    size = models.PositiveSmallIntegerField()
    # "": written by a process of the previous version, which only knows `listed`.
    visibility = models.CharField(
        max_length=10, choices=Visibility, blank=True, default=Visibility.PUBLIC, db_default=""
    )
    # Whether `visibility` is `PUBLIC`, for indexes and for processes of the previous version.
    listed = models.BooleanField(default=True, db_column="public")
    # Before the game: whether it should count for ratings. From its start on: whether it does.
    rated = models.BooleanField(default=False, db_default=False)
    origin = models.CharField(
        max_length=10, choices=Origin, blank=True, default=Origin.HAND, db_default=""
    )
    # The decision that this game tries again, as a moment of the original game.
    from_game = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    from_moment = models.PositiveIntegerField(null=True, blank=True)
    # When the countdown of an open quick table ends; None: one person waits there.
    starts_at = models.DateTimeField(null=True, blank=True)
    chat = models.BooleanField(default=True)  # free text; quick phrases are always available
    turn_seconds = models.PositiveIntegerField(null=True, blank=True)  # None: no time limit
    # The host's language when the table was created, for link previews; "": the reader's.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    # A key of `play.tempo`; "": the table is older than this setting.
    tempo = models.CharField(max_length=10, blank=True, default="", db_default="")
    show_odds = models.BooleanField(default=False)  # show each seat how likely a bid is
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted_games"
    )
    # Before the start: the player who may start the game while the host is away.
    acting_host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # People removed by the host before the start; cleared when the game starts or the table closes.
    removed = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, editable=False, related_name="+"
    )
    # The standing table of this game; any seated player may then start it. The partial index below
    # covers the few rows with a standing table.
    standing = models.ForeignKey(
        "StandingTable",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="games",
    )
    # At an open rematch: until when free seats are kept for the players of the previous game.
    seats_kept_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    closed_by_staff = models.BooleanField(default=False, db_default=False)

    seq = models.PositiveIntegerField(default=0)
    turn_seq = models.PositiveIntegerField(default=0)  # a move must have seen at least this
    deal_seq = models.PositiveIntegerField(default=0)  # sealed facts before it no longer matter
    sealed_seq = models.PositiveIntegerField(default=0)  # of the last hidden fact
    seats_seq = models.PositiveIntegerField(default=0)  # when a seat last changed, once begun
    opens_at = models.DateTimeField(null=True, blank=True)  # until then others may still interrupt
    turn_ends_at = models.DateTimeField(null=True, blank=True)  # the deadline shown to people
    # Without a time limit: the end of the longest silence, which no clock shows.
    silence_ends_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # when the scheduler looks at this game
    # At `due_at` a bot moves or is asked, and no person's time is up; it may wait under load.
    bots_due = models.BooleanField(default=False, db_default=False)
    watched_at = models.DateTimeField(null=True, blank=True)  # a person moved, or had its page open
    # Bots play to the end without pauses.
    skipping = models.BooleanField(default=False, db_default=False)
    # The quota that an open or running game uses: a keyed hash of an address (see `views.holder`).
    holder = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    solo = models.BooleanField(default=False, db_default=False)  # one person against bots
    paused_at = models.DateTimeField(null=True, blank=True)  # to make room for others
    failing_since = models.DateTimeField(null=True, blank=True, editable=False)  # in every step
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    pack_at = models.DateTimeField(null=True, blank=True)  # when the log is packed
    marks_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The version of the game's marks that were awarded; 0: none yet (see `optional_parts.Marks`).
    marks_version = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    # Whether what was thrown is counted, see `play.throws`. None: not yet; False: it cannot be.
    throws_counted = models.BooleanField(null=True, editable=False)
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch_of"
    )

    if TYPE_CHECKING:
        seat_set: RelatedManager[Seat]
        has_removed_me: bool  # where `lobby.home_page` has read it with the games
        company: list[Seat]  # where `study.players.game_list` has read them
        taken: list[Seat]  # where `store.public_tables` has read the seats with the games
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
            # For the scheduler's query of due games, and the lobby's of public games by status.
            models.Index(fields=["due_at"], name="game_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["status", "listed", "-created_at"], name="game_lobby"),
            models.Index(
                fields=["-finished_at"],
                name="game_latest",
                condition=Q(status="finished", listed=True),
            ),
            # For the search of the last day's games for reviews.
            models.Index(
                fields=["-finished_at"], name="game_finished", condition=Q(status="finished")
            ),
            models.Index(fields=["host"], name="game_open", condition=Q(status="open")),
            models.Index(fields=["pack_at"], name="game_pack", condition=Q(pack_at__isnull=False)),
            models.Index(
                fields=["marks_due_at"],
                name="game_marks",
                condition=Q(marks_due_at__isnull=False),
            ),
            # For games that ended before there was such a count.
            models.Index(
                fields=["id"],
                name="game_throws",
                condition=Q(finished_at__isnull=False, throws_counted__isnull=True),
            ),
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
    # All other people have left, and this person wants to play on against the bots.
    plays_on = models.BooleanField(default=False, db_default=False)
    # When a person who is out, waits for the start or may want a rematch last had the page open.
    seen_at = models.DateTimeField(null=True, blank=True)
    # When its page was last in view (`play.open_pages`); before the game, any page (`store.here`).
    present_at = models.DateTimeField(null=True, blank=True)
    # The `seq` since which the person has been `asleep` or `gone`; None: they play.
    away_seq = models.PositiveIntegerField(null=True, blank=True)
    # At a rated table until its game starts: the address from which the person sat down, as a
    # keyed hash (see `views.holder.home`).
    home = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the winner
    live = models.BooleanField(default=True)  # the table is open or playing

    worn: dict[str, str] | None = None  # see `ponchos.dressed`

    if TYPE_CHECKING:
        game_id: int
        user_id: int | None

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number"]
        indexes = [
            # For the few seats at open and running tables among a person's thousands of seats.
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
        character its file of `drawings`.
        """
        if self.worn is not None:
            return self.worn
        if self.user is not None:
            return self.user.avatar
        if character := characters.find(self.bot):
            return character.avatar
        animal, cloth, weave = BOT_AVATARS[self.number % len(BOT_AVATARS)]
        return {"animal": animal, "cloth": cloth, "weave": weave}

    @property
    def held(self) -> bool:
        """Whether the server currently plays this seat."""
        return bool(self.bot) or self.asleep or self.gone

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays for the person of this seat, or did so at the end of the game."""
        return self.user_id is not None and self.asleep and not self.gone

    @property
    def left(self) -> bool:
        """Whether a person did not play to the end: they left, or a bot replaced them for good.

        It is final once the seat is out or the game over; until then the person may come back.
        """
        return self.user_id is not None and (self.gone or self.asleep)
