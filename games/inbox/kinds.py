"""The kinds of entries: what each says, in the reader's language, and where it leads.

A new kind is a function here, a line in `KINDS` and one in `PUSHED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game, InboxEntry
from games.push.outbox import Pushed

TURN: Final = "turn"  # about the code of a running game: the game waits for this person
STARTED: Final = "started"  # about the code of a game that has begun without this person's page
FRIEND: Final = "friend"  # about the key of somebody who asks this person to be friends
INVITED: Final = "invited"  # about the code of a table to which a friend (`by`) invites them
FRIENDS_NOW: Final = "friends_now"  # about the key of somebody who is a friend now


# How each is told by push to who has no page open. A turn with a time limit ends with it.
PUSHED: Final[Mapping[str, Pushed]] = {
    TURN: Pushed("turn", timedelta(hours=12)),
    STARTED: Pushed("table", timedelta(minutes=10)),
    INVITED: Pushed("invitation", timedelta(hours=1)),
    FRIEND: Pushed("invitation", timedelta(days=1)),
    FRIENDS_NOW: Pushed("invitation", timedelta(days=1)),
}


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
    people = User.objects.filter(is_active=True).in_bulk(keys)
    return {
        entry.pk: (form % {"name": people[key].shown_name}, reverse("games:friends"))
        for entry, key in zip(entries, keys, strict=True)
        if key in people
    }


def _asks(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    return _friends(entries, _("%(name)s wants to be friends."))


def _are(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    return _friends(entries, _("You and %(name)s are friends."))


def _invited(entries: Sequence[InboxEntry]) -> dict[int, tuple[str, str]]:
    codes = {entry.about for entry in entries}
    games = {game.code: game for game in Game.objects.filter(code__in=codes)}
    people = User.objects.filter(is_active=True).in_bulk([each.values["by"] for each in entries])
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


# Of entries of one kind, their sentence and address by primary key.
Say = Callable[[Sequence[InboxEntry]], dict[int, tuple[str, str]]]
KINDS: Final[Mapping[str, Say]] = {
    TURN: _turns,
    STARTED: _started,
    INVITED: _invited,
    FRIEND: _asks,
    FRIENDS_NOW: _are,
}


def names(entries: Sequence[InboxEntry]) -> dict[int, str]:
    """By primary key, whom these entries are about; without those about nobody, or who is gone."""
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
