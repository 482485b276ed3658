"""The queue of open quick tables: finding one for a person. This module only reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, Sum

from accounts.models import User
from games.contract import catalogue
from games.lobby.matching import strength
from games.models import IN_LINE, Game, Mute, Search
from games.play import quick_tables
from games.store import event_log, queries

# An ended search counts for this long; then its row is deleted.
REMEMBERED: Final = timedelta(minutes=10)
# How often, within that time, a person, and all people of an address together, may leave a table
# that counts down or not answer there: nobody shall call others away from their games for fun.
LEAVES_EACH: Final = 4
LEAVES_PER_ADDRESS: Final = 8
# The most open tables that are considered.
_TABLES: Final = 200

State, Origin, Status = Search.State, Game.Origin, Game.Status


@dataclass(frozen=True, slots=True)
class Choice:
    """A table at which people wait whom a person may join, and the game to be played there."""

    table: Game
    company: Sequence[Search]
    kind_key: str

    @property
    def is_full(self) -> bool:
        return len(self.company) >= quick_tables.seats(self.kind_key)[-1]

    @property
    def people(self) -> list[int]:
        """The ids of the users at the table."""
        return [each.user_id for each in self.company]


def choices(user: User, choice: str, *, now: datetime, but: Game | None = None) -> Sequence[Choice]:
    """The tables with people whom this person may join, full ones too, the oldest first.

    `choice` is the key of a game, "" for any. `but` is the table at which they have a seat now.
    """
    tables = Game.objects.filter(origin=Origin.QUICK, status=Status.OPEN)
    if but is not None:
        tables = tables.exclude(pk=but.pk)
    strangers, unreliable = disliked(user), unreliable_holders(now=now)
    waiting = list(tables.order_by("created_at")[:_TABLES])
    companies: dict[int | None, list[Search]] = {table.pk: [] for table in waiting}
    in_line = Search.objects.filter(table__in=waiting, state__in=IN_LINE)
    for search in in_line.order_by("changed_at", "pk"):
        companies[search.table_id].append(search)
    found = []
    for table in waiting:
        company = companies[table.pk]
        kind_key = _game_for(table, company, choice)
        if kind_key is None or {each.holder for each in company} <= unreliable:
            continue
        if not strangers & {each.user_id for each in company}:
            found.append(Choice(table, company, kind_key))
    return found


def best(user: User, choices: Sequence[Choice]) -> Choice | None:
    """The fullest of these tables that has a free seat; None if none has.

    If more people wait than one table holds, it is the table whose people are most like this one in
    strength, of those that begin as soon.
    """
    free = [each for each in choices if not each.is_full]
    if not free:
        return None
    fullest = max(free, key=lambda each: len(each.company))
    most, begins = quick_tables.seats(fullest.kind_key)[-1], fullest.table.starts_at
    alike = [each for each in choices if each.kind_key == fullest.kind_key]
    if begins is None or sum(len(each.company) for each in alike) < most:
        return fullest
    as_soon = [
        each
        for each in alike
        if not each.is_full and each.table.starts_at and each.table.starts_at <= begins
    ]
    companies = [each.people for each in as_soon]
    return as_soon[strength.nearest(user.pk, companies, fullest.kind_key)]


def _game_for(table: Game, company: Collection[Search], choice: str) -> str | None:
    """The game that these people and a person with this choice can play together; None if none.

    A table without a countdown, at which nobody has chosen a game, can change to another game.
    """
    if choice in ("", table.kind_key):
        return table.kind_key
    is_settled = table.starts_at is not None or any(each.choice for each in company)
    return None if is_settled else choice


def disliked(user: User) -> set[int]:
    """The ids of the people whom this person has muted or blocked, or who have done so to them."""
    mutes = Mute.objects.filter(Q(by=user) | Q(whom=user)).values_list("by", "whom")
    return {each for pair in mutes for each in pair} - {user.pk}


def leaves_too_often(user: User, *, holder: str, now: datetime) -> bool:
    """Whether this person, or their address, has recently left others too often."""
    recent = Search.objects.filter(user=user, left_at__gt=now - REMEMBERED)
    return recent.filter(leaves__gte=LEAVES_EACH).exists() or holder in unreliable_holders(now=now)


def unreliable_holders(*, now: datetime) -> set[str]:
    """The holders (hashed addresses) whose people have recently left others too often."""
    recent = Search.objects.filter(left_at__gt=now - REMEMBERED)
    counted = recent.values("holder").annotate(times=Sum("leaves")).order_by()
    return set(counted.filter(times__gte=LEAVES_PER_ADDRESS).values_list("holder", flat=True))


def playing(user: User) -> Game | None:
    """The game among people that this person is playing; None if they may join another.

    Players who are out of a game only watch it. Games against bots and open tables bind nobody.
    """
    seats = queries.seats_in_progress(user).filter(
        game__status=Status.PLAYING, game__solo=False, game__paused_at=None
    )
    for seat in seats.exclude(game__origin=Origin.WARM_UP).select_related("game"):
        if is_in_play(seat.game, seat.number):
            return seat.game
    return None


def is_in_play(game: Game, number: int) -> bool:
    """Whether this seat of a running game is still in play."""
    rules = catalogue.of(game.kind_key).rules
    return number in rules.in_play(event_log.public_state(game))


def binds(user: User, game: Game) -> bool:
    """Whether `playing` would return this game, which has its seats prefetched as `taken`."""
    number = next((each.number for each in game.taken if each.user_id == user.pk), None)
    is_playing = game.status == Status.PLAYING and game.paused_at is None
    among_people = not game.solo and game.origin != Origin.WARM_UP
    return is_playing and among_people and number is not None and is_in_play(game, number)


def warm_ups(users: Collection[int]) -> list[Game]:
    """The running warm-ups of these people."""
    return list(
        Game.objects.filter(
            origin=Origin.WARM_UP,
            status=Status.PLAYING,
            seat__user__in=users,
            seat__live=True,
        )
    )
