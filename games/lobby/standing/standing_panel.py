"""The standing tables that a person belongs to, for their home page.

They are the person's own tables, and those at which they have played recently. A table whose link
was renewed is shown only to its owner and to people with a seat there, because the owner wants to
choose who gets the new link.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.contract import catalogue
from games.models import FormerWord, Game, Mute, Seat, StandingTable
from games.store import here

Status = Game.Status


@dataclass(frozen=True, slots=True)
class Belonging:
    """The values of a standing table's row, and whether its link was renewed."""

    pk: int
    word: str
    owner_id: int
    owner: str
    kind_key: str
    is_renewed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingRow:
    """A standing table in words; for `state` and `meets` see `rows`."""

    word: str
    title: str
    is_mine: bool
    game: str  # its name
    state: str
    meets: bool
    names: Sequence[str]
    waiting: str


def belonging(me: User, played_at: Iterable[int | None]) -> list[Belonging]:
    """The person's own tables and those with the keys `played_at`, the oldest first.

    Two queries at most, and none for a guest who has never played at a standing table.
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
    games: Mapping[int, Game],
    *,
    names: Callable[[User], bool],
    now: datetime,
) -> list[StandingRow]:
    """The tables in words, those at which people wait for the next game first. One query at most.

    `games` has the open or running game of each table, with its seats as `taken`; `names` decides
    whether a person may be named to the reader. The `state` of a row is "open" (people wait, and
    the reader `meets` them if a seat is free), "playing" or "empty". People who have blocked the
    reader, or whom the reader has blocked, are not counted.
    """
    is_alone = all(each.owner_id == me.pk and each.pk not in games for each in tables)
    strangers = set() if is_alone else _blocked(me)
    shown = [
        _row(me, table, games.get(table.pk), names, strangers, now)
        for table in tables
        if table.owner_id not in strangers
        if table.owner_id == me.pk or not table.is_renewed or _sits(me, games.get(table.pk))
    ]
    return sorted(shown, key=lambda row: ("open", "playing", "empty").index(row.state))


def _blocked(me: User) -> set[int]:
    """The keys of the people who have blocked this person, or whom they have blocked."""
    pairs = Mute.objects.filter(Q(by=me) | Q(whom=me), blocked=True).values_list("by", "whom")
    return {each for pair in pairs for each in pair} - {me.pk}


def _sits(me: User, game: Game | None) -> bool:
    return game is not None and any(seat.user_id == me.pk for seat in game.taken)


def _row(
    me: User,
    table: Belonging,
    game: Game | None,
    names: Callable[[User], bool],
    strangers: Collection[int],
    now: datetime,
) -> StandingRow:
    taken: list[Seat] = [] if game is None else game.taken
    there = [] if game is None else here.people(game, now=now)
    others = [each for each in there if each.user_id not in (me.pk, *strangers)]
    waits = game is not None and game.status == Status.OPEN
    free = game is not None and waits and len(taken) < game.size
    state = ("open" if waits else "playing") if others else "empty"
    is_mine = table.owner_id == me.pk
    title = gettext("Your table")
    if not is_mine:
        title = gettext("%(host)s's table") % {"host": table.owner}
    waiting = ngettext("%(people)s person waiting", "%(people)s people waiting", len(others))
    return StandingRow(
        word=table.word,
        title=title,
        is_mine=is_mine,
        game=catalogue.of(table.kind_key).words.name(),
        state=state,
        meets=state == "open" and free and not _sits(me, game),
        names=[each.name for each in others if each.user is not None and names(each.user)],
        waiting=waiting % {"people": len(others)},
    )
