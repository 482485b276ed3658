"""The kinds of entries: what each says, in the reader's language, and where it leads.

A new kind is a function here and a line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game, InboxEntry

TURN: Final = "turn"  # about the code of a running game: the game waits for this person


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry as plain values: a sentence, the address it leads to, and when it came."""

    sentence: str
    url: str
    at: datetime
    is_read: bool


def shown(entries: Sequence[InboxEntry]) -> list[Shown]:
    """These entries as people read them; without those that mean nothing any more.

    So are entries of a kind that only newer processes know, during a rolling restart.
    """
    said: dict[int, tuple[str, str]] = {}
    for kind, say in KINDS.items():
        if mine := [entry for entry in entries if entry.kind == kind]:
            said |= say(mine)
    return [
        Shown(*said[entry.pk], at=entry.created_at, is_read=entry.read_at is not None)
        for entry in entries
        if entry.pk in said
    ]


def _turns(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    codes = {entry.about for entry in entries}
    playing = Game.objects.filter(code__in=codes, status=Game.Status.PLAYING)
    hosts = {game.code: game.host for game in playing.select_related("host")}
    said = {}
    for entry in entries:
        if (host := hosts.get(entry.about)) is not None:
            sentence = _("It's your turn at %(host)s's table.") % {"host": host.shown_name}
            if host.pk == entry.user_id:
                sentence = _("It's your turn at your table.")
            said[entry.pk] = sentence, reverse("games:table", args=[entry.about])
    return said


# Of entries of one kind, their sentence and address by primary key.
Say = Callable[[Sequence[InboxEntry]], dict[int, tuple[str, str]]]
KINDS: Final[Mapping[str, Say]] = {TURN: _turns}
