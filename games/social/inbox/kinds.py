"""The kinds of inbox entries: the sentence of each in the reader's language, and its link.

To add a kind, write a function here and add a line to `KINDS` and to `PUSHED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game, InboxEntry, Mute
from games.social.push.outbox import Pushed

TURN: Final = "turn"  # about the code of a running game: the game waits for this person
STARTED: Final = "started"  # about the code of a game that has begun without this person's page
FRIEND: Final = "friend"  # about the key of somebody who asks this person to be friends
INVITED: Final = "invited"  # about the code of a table to which a friend (`by`) invites them
FRIENDS_NOW: Final = "friends_now"  # about the key of somebody who is a friend now


# How each kind is pushed to people without an open page. A push about a turn with a time limit
# expires with that limit.
PUSHED: Final[Mapping[str, Pushed]] = {
    TURN: Pushed("turn", timedelta(hours=12)),
    STARTED: Pushed("table", timedelta(minutes=10)),
    INVITED: Pushed("invitation", timedelta(hours=1)),
    FRIEND: Pushed("invitation", timedelta(days=1)),
    FRIENDS_NOW: Pushed("invitation", timedelta(days=1)),
}


def tag(kind: str, about: str) -> str:
    """The tag of a notification; a browser shows only the latest notification of each tag.

    All notifications of a table share one tag, from its page (notify.js) and from pushes.
    """
    if kind in (TURN, STARTED):
        return reverse("games:table", args=[about])
    return f"{kind}:{about}"


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry as plain values: its sentence, the address it leads to, its time, whether read."""

    sentence: str
    url: str
    at: datetime
    is_read: bool


def shown(entries: Sequence[InboxEntry]) -> list[Shown]:
    """The entries of one person as they read them, without outdated ones.

    Entries of unknown kinds are left out too: newer processes write them in a rolling restart.
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


def _started(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    codes = {entry.about for entry in entries}
    playing = Game.objects.filter(code__in=codes, status=Game.Status.PLAYING)
    running = set(playing.values_list("code", flat=True))
    return {
        entry.pk: (_("Your game has begun."), reverse("games:table", args=[entry.about]))
        for entry in entries
        if entry.about in running
    }


def _friends(entries: Sequence[InboxEntry], form: str) -> dict[int, tuple[str, str]]:
    keys = [int(entry.about) for entry in entries]
    people = _people(entries, keys)
    return {
        entry.pk: (form % {"name": people[key].shown_name}, reverse("games:friends"))
        for entry, key in zip(entries, keys, strict=True)
        if key in people
    }


def _people(entries: Sequence[InboxEntry], keys: Sequence[int]) -> dict[int, User]:
    """Active people by key, without those whom the reader has blocked."""
    blocked = Mute.objects.filter(by=entries[0].user_id, blocked=True)
    return User.objects.filter(is_active=True).exclude(pk__in=blocked.values("whom")).in_bulk(keys)


def _asks(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    return _friends(entries, _("%(name)s wants to be friends."))


def _are(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    return _friends(entries, _("You and %(name)s are friends."))


def _invited(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    codes = {entry.about for entry in entries}
    games = {game.code: game for game in Game.objects.filter(code__in=codes)}
    people = _people(entries, [each.values["by"] for each in entries])
    forms = {
        Game.Status.OPEN: _("%(name)s invites you to a table."),
        Game.Status.PLAYING: _("The game that %(name)s invited you to has begun."),
    }
    said = {}
    for entry in entries:
        game, by = games.get(entry.about), people.get(entry.values["by"])
        if game is not None and by is not None and game.status in forms:
            sentence = forms[Game.Status(game.status)] % {"name": by.shown_name}
            said[entry.pk] = sentence, reverse("games:table", args=[game.code])
    return said


# Takes entries of one kind; returns their sentences and addresses by primary key.
Say = Callable[[Sequence[InboxEntry]], dict[int, tuple[str, str]]]
KINDS: Final[Mapping[str, Say]] = {
    TURN: _turns,
    STARTED: _started,
    INVITED: _invited,
    FRIEND: _asks,
    FRIENDS_NOW: _are,
}


def names(entries: Sequence[InboxEntry]) -> dict[int, str]:
    """The name of the person whom each entry is about, by the entry's primary key.

    Entries that aren't about a person, or about a deleted account, are left out.
    """
    keys = {
        entry.pk: int(entry.values["by"] if entry.kind == INVITED else entry.about)
        for entry in entries
        if entry.kind in (FRIEND, FRIENDS_NOW, INVITED)
    }
    people = User.objects.in_bulk(keys.values())
    return {
        pk: people[key].shown_name
        for pk, key in keys.items()
        if key in people and not people[key].is_deleted
    }
