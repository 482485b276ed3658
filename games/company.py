"""Company at the table: who may say what, who hears whom, and what is told to the staff.

It writes sayings, mutes and reports, never a game. A saying does not touch `Game.seq`: people may
talk while somebody thinks, and nobody's move becomes stale by it.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from games import push, tables
from games.batches import in_batches
from games.models import Game, Mute, Report, Saying, Silence
from games.refusal import Refused
from games.words.phrases import LINK, PHRASES, saying

LONGEST: Final = 200  # characters of a text

_LIVE = (Game.Status.OPEN, Game.Status.PLAYING)


# --- talking -------------------------------------------------------------------------------------


def say(game: Game, user: Any, *, phrase: str = "", text: str = "", now: datetime) -> None:
    """Say a quick phrase by its key, or a text where the host allows it.

    Who sits here speaks, with dice or without; spectators only read. Refused: `closed`,
    `not_seated`, `already_left`, `silenced`, `no_such_phrase`, `chat_off`, `nothing_said`,
    `too_long`.
    """
    if game.status == Game.Status.CLOSED:
        raise Refused("closed")
    seat = tables.seat_of(game, user)
    if seat is None:
        raise Refused("not_seated")
    if seat.gone:
        raise Refused("already_left")
    _may_talk(user, now=now)
    if phrase:
        if phrase not in PHRASES:
            raise Refused("no_such_phrase")
        text = ""
    else:
        if not game.chat:
            raise Refused("chat_off")
        text = _fit(text)
    with transaction.atomic():
        Saying.objects.create(game=game, by=user, at=now, phrase=phrase, text=text)
        push.talked(game.code)


def _may_talk(user: Any, *, now: datetime) -> None:
    silence = Silence.objects.filter(whom=user).first()
    if silence is None:
        return
    if silence.until is None:
        raise Refused("silenced")
    if now < silence.until:
        raise Refused("silenced", until=silence.until.isoformat())


def _fit(text: str) -> str:
    if len(text) > LONGEST:
        raise Refused("too_long")
    text = tidy(text)
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in text):
        raise Refused("nothing_said")
    if len(text) > LONGEST:  # one way to write a letter may be longer than the other
        raise Refused("too_long")
    return text


# A scheme, a name that begins with www, an e-mail address, a name with a path, a name that ends
# in what most names end in. Nothing here is ever made a link; this spares people the reading.
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
_JOINERS = "\u200c\u200d"  # invisible, but Persian, Hindi and many signs are not written without


def tidy(text: str) -> str:
    """A text as one line that stays in its place: no control characters, `LINK` for every link.

    Signs that turn the direction of writing would turn other people's words too, and piles of
    accents would cover them: of those, two on a letter remain.
    """
    kept: list[str] = []
    piled = 0
    for letter in unicodedata.normalize("NFC", text).replace(LINK, ""):
        kind = unicodedata.category(letter)
        piled = piled + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif piled <= 2 and (kind not in ("Cf", "Cs", "Co") or letter in _JOINERS):
            kept.append(letter)
    return _ADDRESS.sub(LINK, " ".join("".join(kept).split()))


# --- muting and blocking -------------------------------------------------------------------------


def mute(by: Any, whom: Any, *, block: bool, at: Game | None = None) -> None:
    """Hear no more of somebody; blocked, he cannot sit down where `by` hosts either.

    `at` is the game that `by` looks at: its talk changes at once. Refused: `yourself`.
    """
    if by.pk == whom.pk:
        raise Refused("yourself")
    with transaction.atomic():
        Mute.objects.update_or_create(by=by, whom=whom, defaults={"blocked": block})
        _talk_is_another(at)


def hear(by: Any, whom: Any, *, at: Game | None = None) -> None:
    """Hear somebody again; a block goes too."""
    with transaction.atomic():
        Mute.objects.filter(by=by, whom=whom).delete()
        _talk_is_another(at)


def _talk_is_another(game: Game | None) -> None:
    # Sockets look anew and send what is new to their viewer: to the others that is nothing.
    if game is not None:
        push.talked(game.code)


# --- telling the staff ---------------------------------------------------------------------------


def report(
    by: Any,
    whom: Any,
    *,
    reason: str,
    words: str,
    about: Saying | None,
    now: datetime,
) -> None:
    """Tell the staff about a person, or about one saying. Refused: `yourself`, `already_reported`.

    A saying is reported once by each person; a person again only when the staff is done with it.
    """
    if by.pk == whom.pk:
        raise Refused("yourself")
    game = None if about is None else about.game
    try:
        with transaction.atomic():
            Report.objects.create(
                by=by, whom=whom, game=game, saying=about, reason=reason, words=words, at=now
            )
    except IntegrityError as twice:
        raise Refused("already_reported") from twice


def has_reported(by: Any, whom: Any, *, about: Saying | None) -> bool:
    """Whether a report of the same thing by the same person stands in the way of another."""
    mine = Report.objects.filter(by=by, whom=whom)
    if about is None:
        return mine.filter(saying__isnull=True, handled=False).exists()
    return mine.filter(saying=about).exists()


def settle(report: Report, *, outcome: str) -> bool:
    """The staff is done with this report, and its author may read how; False: it was done."""
    open_ones = Report.objects.filter(pk=report.pk, handled=False)
    return open_ones.update(handled=True, outcome=outcome) > 0


def reports_by(person: Any) -> QuerySet[Report]:
    """What this person has told the staff, the latest first."""
    return Report.objects.filter(by=person).select_related("whom", "game").order_by("-pk")


def silence(whom: Any, *, until: datetime | None) -> None:
    """The staff lets somebody say nothing more at any table until then, or for good (None)."""
    Silence.objects.update_or_create(whom=whom, defaults={"until": until})


def let_talk(whom: Any) -> bool:
    """The staff lets somebody talk again; False where he was never silenced."""
    freed, _by_model = Silence.objects.filter(whom=whom).delete()
    return freed > 0


def hide(sayings: QuerySet[Saying]) -> int:
    """Take sayings from everybody's sight; how many were to be seen before."""
    with transaction.atomic():
        codes = set(sayings.filter(hidden=False).values_list("game__code", flat=True))
        hidden = Saying.objects.filter(pk__in=sayings.values("pk"), hidden=False)
        count = hidden.update(hidden=True)
        for code in codes:
            push.talked(code)
    return count


# --- leaving -------------------------------------------------------------------------------------


def forget(person: Any) -> None:
    """Take back what this person wrote; that he spoke stays, as the games he played do."""
    with transaction.atomic():
        written = Saying.objects.filter(by=person).exclude(text="")
        live = written.filter(game__status__in=_LIVE)
        codes = set(live.values_list("game__code", flat=True))
        written.update(text="")
        Report.objects.filter(by=person).update(words="")
        Mute.objects.filter(Q(by=person) | Q(whom=person)).delete()
        Silence.objects.filter(whom=person).delete()
        for code in codes:
            push.talked(code)


def export(person: Any) -> dict[str, Any]:
    """What the person said, whom he mutes and what he reported, as plain values ready for JSON.

    The lists are iterators, read as they are asked for.
    """
    said = Saying.objects.filter(by=person).select_related("game")
    mutes = Mute.objects.filter(by=person).select_related("whom")
    silence = Silence.objects.filter(whom=person).first()
    return {
        "silenced": silence and {"until": silence.until and silence.until.isoformat()},
        "sayings": (
            {
                "game": each.game.code,
                "at": each.at.isoformat(),
                "said": saying(phrase=each.phrase, text=each.text),
            }
            for each in in_batches(said)
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
