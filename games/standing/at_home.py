"""The standing tables that a person belongs to, for their home page.

They are one's own, and those at which one has played lately. Whoever renews a link wants to give it
to some only: then it is shown to the owner, and to who sits there, and to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games import catalogue
from games.models import FormerWord, Game, Mute, Seat, StandingTable

Status = Game.Status


@dataclass(frozen=True, slots=True)
class Belonging:
    """A standing table as its row says, and whether its link was renewed."""

    pk: int
    word: str
    owner_id: int
    owner: str
    kind_key: str
    is_renewed: bool


def belonging(me: User, played_at: Iterable[int | None]) -> list[Belonging]:
    """The tables, the oldest first; `played_at`: the keys of some.

    Two queries at most, and none for a guest who has played at no standing table.
    """
    keys = {each for each in played_at if each is not None}
    if me.is_guest and not keys:
        return []
    tables = StandingTable.objects.filter(Q(owner=me) | Q(pk__in=keys), owner__is_active=True)
    columns = tables.order_by("pk").values_list(
        "pk", "word", "owner", "owner__username", "settings"
    )
    rows = list(columns)
    theirs = [pk for pk, _, owner_id, *_ in rows if owner_id != me.pk]
    renewed = FormerWord.objects.filter(table__in=theirs).values_list("table", flat=True)
    former = set(renewed) if theirs else set()
    return [
        Belonging(pk, word, owner_id, owner, settings["kind_key"], pk in former)
        for pk, word, owner_id, owner, settings in rows
    ]


def rows(
    me: User,
    tables: Sequence[Belonging],
    games: Mapping[int, Any],
    *,
    names: Callable[[User], bool],
) -> list[dict[str, Any]]:
    """The tables in words, those at which people wait for the next game first. One query at most.

    `games`: what waits or is played at each, with its seats as `taken`; `names`: whether a person
    may be named to the reader. `state`: open (people wait, and the reader `meets` them if a seat is
    free), playing or empty; how many are `waiting` in words, and the `names` of those who may be
    named. Who has blocked the reader, or is blocked, is not among them.
    """
    is_alone = all(each.owner_id == me.pk and each.pk not in games for each in tables)
    strangers = set() if is_alone else _blocked(me)
    shown = [
        _row(me, table, games.get(table.pk), names, strangers)
        for table in tables
        if table.owner_id not in strangers
        if table.owner_id == me.pk or not table.is_renewed or _sits(me, games.get(table.pk))
    ]
    return sorted(shown, key=lambda row: ("open", "playing", "empty").index(row["state"]))


def _blocked(me: User) -> set[int]:
    """The keys of those who have blocked this person, or whom they have blocked."""
    pairs = Mute.objects.filter(Q(by=me) | Q(whom=me), blocked=True).values_list("by", "whom")
    return {each for pair in pairs for each in pair} - {me.pk}


def _sits(me: User, game: Any) -> bool:
    return game is not None and any(seat.user_id == me.pk for seat in game.taken)


def _row(
    me: User,
    table: Belonging,
    game: Any,
    names: Callable[[User], bool],
    strangers: Collection[int],
) -> dict[str, Any]:
    taken: list[Seat] = [] if game is None else game.taken
    there = [seat for seat in taken if seat.user is not None and not seat.gone]
    others = [each for each in there if each.user_id not in (me.pk, *strangers)]
    waits = game is not None and game.status == Status.OPEN
    free = waits and len(taken) < game.size
    state = ("open" if waits else "playing") if others else "empty"
    is_mine = table.owner_id == me.pk
    title = gettext("Your table")
    if not is_mine:
        title = gettext("%(host)s's table") % {"host": table.owner}
    return {
        "word": table.word,
        "title": title,
        "is_mine": is_mine,
        "game": catalogue.of(table.kind_key).words.name(),
        "state": state,
        "meets": state == "open" and free and not _sits(me, game),
        "names": [each.name for each in others if each.user is not None and names(each.user)],
        "waiting": ngettext("%(people)s person waiting", "%(people)s people waiting", len(others))
        % {"people": len(others)},
    }
