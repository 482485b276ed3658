"""Chat messages, mutes and blocks, reports to moderators and bans from the chat.

These functions never write a game. A message does not change `Game.seq`, so that chatting during
somebody's turn does not make their move stale.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games.errors import Refused
from games.models import ChatBan, ChatMessage, Game, Mute, Report
from games.play import announce
from games.social.chat.phrases import LINK, in_words, is_choice
from games.store import queries
from games.store.batches import in_batches

MAX_LENGTH: Final = 200  # characters of a message

_LIVE = (Game.Status.OPEN, Game.Status.PLAYING)


# --- messages ------------------------------------------------------------------------------------


def say(game: Game, user: User, *, phrase: str = "", text: str = "", now: datetime) -> None:
    """Post a quick phrase or a reaction by its key, or a text where the host allows it.

    Everybody with a seat may write, also after they are out; spectators only read. Refused:
    `closed`, `not_seated`, `already_left`, `silenced`, `no_such_phrase`, `chat_off`,
    `nothing_said`, `too_long`.
    """
    if game.status == Game.Status.CLOSED:
        raise Refused("closed")
    seat = queries.seat_of(game, user)
    if seat is None:
        raise Refused("not_seated")
    if seat.gone:
        raise Refused("already_left")
    _require_not_silenced(user, now=now)
    if phrase:
        if not is_choice(phrase):
            raise Refused("no_such_phrase")
        text = ""
    else:
        if not game.chat:
            raise Refused("chat_off")
        text = _checked(text)
    with transaction.atomic():
        ChatMessage.objects.create(game=game, by=user, at=now, phrase=phrase, text=text)
        announce.chat_changed(game.code)


def _require_not_silenced(user: User, *, now: datetime) -> None:
    ban = ChatBan.objects.filter(whom=user).first()
    if ban is None:
        return
    if ban.until is None:
        raise Refused("silenced")
    if now < ban.until:
        raise Refused("silenced", until=ban.until.isoformat())


def _checked(text: str) -> str:
    """The text as it is stored. Refused: `too_long`, `nothing_said`."""
    if len(text) > MAX_LENGTH:
        raise Refused("too_long")
    text = tidy(text)
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in text):
        raise Refused("nothing_said")
    if len(text) > MAX_LENGTH:  # normalising may make it longer
        raise Refused("too_long")
    return text


# URLs with a scheme, names that begin with www, e-mail addresses, domain names with a path, and
# names under common top-level domains. Pages never turn text into links anyway; removing them
# makes advertising pointless.
_ADDRESS = re.compile(
    r"""[a-z][a-z0-9+.-]{1,20}://\S+
      | \bwww\.\S+
      | [\w.+-]+@[\w-]+\.[\w.-]+
      | \b(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?/\S*
      | \b(?:[\w-]+\.)+(?:com|net|org|info|biz|app|dev|xyz|site|online|shop|club|live|link|top)\b
        (?::\d+)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_JOINERS = "\u200c\u200d"  # invisible, but needed to write Persian, Hindi and many emoji


def tidy(text: str) -> str:
    """A text on one line, without control characters and with `LINK` for every link.

    Characters that change the direction of writing are removed, because they would affect other
    messages too. A letter keeps two combining marks at most, because more would cover other lines.
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text).replace(LINK, ""):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif marks <= 2 and (kind not in ("Cf", "Cs", "Co") or letter in _JOINERS):
            kept.append(letter)
    return _ADDRESS.sub(LINK, " ".join("".join(kept).split()))


# --- muting and blocking -------------------------------------------------------------------------


def mute(by: User, whom: User, *, block: bool, at: Game | None = None) -> None:
    """Hide a player's messages from `by`; `block` also keeps them from the tables `by` hosts.

    `at` is the game that `by` is looking at: its chat is refreshed at once. Refused: `yourself`.
    """
    if by.pk == whom.pk:
        raise Refused("yourself")
    with transaction.atomic():
        Mute.objects.update_or_create(by=by, whom=whom, defaults={"blocked": block})
        _refresh_chat(at)


def unmute(by: User, whom: User, *, at: Game | None = None) -> None:
    """Show a player's messages to `by` again; this also lifts a block."""
    with transaction.atomic():
        Mute.objects.filter(by=by, whom=whom).delete()
        _refresh_chat(at)


def _refresh_chat(game: Game | None) -> None:
    # All sockets of the table render; a socket sends only what is new to its viewer.
    if game is not None:
        announce.chat_changed(game.code)


# --- reports and moderation ----------------------------------------------------------------------


def report(
    by: User,
    whom: User,
    *,
    reason: str,
    words: str,
    about: ChatMessage | None,
    now: datetime,
) -> None:
    """Report a player, or one of their messages, to the moderators.

    Each player can report a message once, and a player again only after their last report was
    handled. Refused: `yourself`, `already_reported`.
    """
    if by.pk == whom.pk:
        raise Refused("yourself")
    game = None if about is None else about.game
    try:
        with transaction.atomic():
            Report.objects.create(
                by=by, whom=whom, game=game, message=about, reason=reason, words=words, at=now
            )
    except IntegrityError as error:
        raise Refused("already_reported") from error


def has_reported(by: User, whom: User, *, about: ChatMessage | None) -> bool:
    """Whether `by` has reported this already, and cannot report it again (yet)."""
    mine = Report.objects.filter(by=by, whom=whom)
    if about is None:
        return mine.filter(message__isnull=True, handled=False).exists()
    return mine.filter(message=about).exists()


def settle(report: Report, *, outcome: str) -> bool:
    """Close a report with an outcome that its author can read; False if it was closed already."""
    open_ones = Report.objects.filter(pk=report.pk, handled=False)
    changes = {"handled": True, "outcome": outcome}
    if report.whom.is_deleted:  # the text about them was kept only for this decision
        changes["words"] = ""
    return open_ones.update(**changes) > 0


def reports_by(person: User) -> QuerySet[Report]:
    """The reports of this user, newest first."""
    return Report.objects.filter(by=person).select_related("whom", "game").order_by("-pk")


def ban_from_chat(whom: User, *, until: datetime | None) -> None:
    """Ban a user from the chat of all tables until a time, or permanently (None)."""
    ChatBan.objects.update_or_create(whom=whom, defaults={"until": until})


def lift_chat_ban(whom: User) -> bool:
    """Lift a user's ban from the chat; False if they had none."""
    deleted, _by_model = ChatBan.objects.filter(whom=whom).delete()
    return deleted > 0


def hide(messages: QuerySet[ChatMessage]) -> int:
    """Hide messages from everybody; returns how many were visible before."""
    with transaction.atomic():
        codes = set(messages.filter(hidden=False).values_list("game__code", flat=True))
        hidden = ChatMessage.objects.filter(pk__in=messages.values("pk"), hidden=False)
        count = hidden.update(hidden=True)
        for code in codes:
            announce.chat_changed(code)
    return count


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Erase the texts this user wrote, their mutes and their ban; the empty messages stay.

    The texts of handled reports about them are erased too; those of open reports, once handled.
    """
    with transaction.atomic():
        written = ChatMessage.objects.filter(by=person).exclude(text="")
        live = written.filter(game__status__in=_LIVE)
        codes = set(live.values_list("game__code", flat=True))
        written.update(text="")
        Report.objects.filter(Q(by=person) | Q(whom=person, handled=True)).update(words="")
        Mute.objects.filter(Q(by=person) | Q(whom=person)).delete()
        ChatBan.objects.filter(whom=person).delete()
        for code in codes:
            announce.chat_changed(code)


def export(person: User) -> dict[str, object]:
    """The user's messages, mutes and reports, as plain values ready for JSON.

    The lists are iterators that read the database in batches.
    """
    messages = ChatMessage.objects.filter(by=person).select_related("game")
    mutes = Mute.objects.filter(by=person).select_related("whom")
    ban = ChatBan.objects.filter(whom=person).first()
    return {
        "silenced": ban and {"until": ban.until and ban.until.isoformat()},
        "messages": (
            {
                "game": each.game.code,
                "at": each.at.isoformat(),
                "said": in_words(phrase=each.phrase, text=each.text),
            }
            for each in in_batches(messages)
        ),
        "mutes": (
            {"whom": each.whom.shown_name, "blocked": each.blocked} for each in in_batches(mutes)
        ),
        "reports": (
            {
                "whom": each.whom.shown_name,
                "game": each.game and each.game.code,
                "reason": each.reason,
                "words": each.words,
                "at": each.at.isoformat(),
                "handled": each.handled,
                "outcome": each.outcome,
            }
            for each in in_batches(reports_by(person))
        ),
    }
