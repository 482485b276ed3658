"""Changes of quick tables, which match people who want to play now, and of their warm-ups.

`games.lobby.matching` decides who plays together, with one step at a time among all processes, and
calls these functions in its transactions. An open quick table is joined and left in no other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from accounts.models import User
from games.contract import catalogue
from games.errors import Refused
from games.models import Game, Seat, TableSettings
from games.play import announce, before_start, close_by_staff, first_deal, quotas, table_names

# Bots fill a table up to this many seats; people may take more, as many as the game allows.
SEATS: Final = 4
TURN_SECONDS: Final = 30
COUNTDOWN: Final = timedelta(seconds=10)

Status, Origin = Game.Status, Game.Origin


def seats(kind_key: str) -> range:
    """Return the sizes of a quick table of this game, from the usual to the largest."""
    sizes = catalogue.of(kind_key).rules.SEATS
    return range(min(max(SEATS, sizes.start), sizes[-1]), sizes.stop)


def settings_of(kind_key: str) -> TableSettings:
    """Return the settings of all quick tables of a game; a choice would keep people apart."""
    usual = before_start.quick_settings(kind_key, bots=seats(kind_key).start - 1)
    return replace(usual, turn_seconds=TURN_SECONDS, chat=True, rated=True)


def open_table(host: User, kind_key: str, *, holder: str, home: str = "", now: datetime) -> Game:
    """Open a quick table at which its host waits. Raises Refused: limits, `account_closed`."""
    settings = settings_of(kind_key)
    return before_start.open_game(
        host, settings, holder=holder, home=home, origin=Origin.QUICK, now=now
    )


def sit(game: Game, user: User, *, home: str = "", now: datetime) -> None:
    """Take a seat; the table grows if none is free.

    Raises Refused: `not_open`, `table_full`, limits.
    """
    quotas.limit(user, opening=False)
    _change(game, now=now)
    taken = set(game.seat_set.values_list("number", flat=True))
    number = next(number for number in range(len(taken) + 1) if number not in taken)
    if number not in range(seats(game.kind_key)[-1]):
        raise Refused("table_full")
    if number >= game.size:
        game.size = number + 1
        Game.objects.filter(pk=game.pk).update(size=game.size)
    Seat.objects.create(game=game, number=number, user=user, home=home, seen_at=now)
    table_names.settle(game)


def stand(game: Game, users: Iterable[int], *, now: datetime) -> None:
    """Free the seats of these people; a next person becomes host, and the last closes the table."""
    _change(game, now=now)
    game.seat_set.filter(user__in=list(users)).delete()
    staying = game.seat_set.select_related("user").first()
    if staying is None:
        before_start.close_table(game)
    elif not game.seat_set.filter(user=game.host_id).exists():
        Game.objects.filter(pk=game.pk).update(host=staying.user)


def play_another(game: Game, kind_key: str, *, now: datetime) -> None:
    """Change the game of a table, for people who accept either game."""
    columns = settings_of(kind_key).columns()
    _change(game, now=now, **columns)
    for name, value in columns.items():
        setattr(game, name, value)


def count_down(game: Game, *, until: datetime | None, now: datetime) -> None:
    """Set the time at which the game starts; None: wait for people again."""
    _change(game, now=now, starts_at=until)
    game.starts_at = until


def keep_open(game: Game, *, now: datetime) -> None:
    """Postpone the closing of a table at which a person still waits; pages do not show it."""
    Game.objects.filter(pk=game.pk, status=Status.OPEN).update(due_at=first_deal.closing_time(now))


def begin(game: Game, *, bots: int, holder: str, now: datetime) -> None:
    """Start the game with the seated people and this many bots, in the quota of `holder`.

    Raises Refused: `not_open`, `too_many_here`, `site_busy`; the caller's transaction must then be
    rolled back.
    """
    _change(game, now=now, starts_at=None)
    taken = set(game.seat_set.values_list("number", flat=True))
    free = [number for number in range(len(taken) + bots) if number not in taken]
    kinds = _mixed(game.kind_key, bots)
    Seat.objects.bulk_create(
        Seat(game=game, number=number, bot=kind) for number, kind in zip(free, kinds, strict=False)
    )
    fresh = Game.objects.get(pk=game.pk)
    first_deal.begin(fresh, holder=holder, now=now)


def begin_warm_up(user: User, kind_key: str, *, holder: str, now: datetime) -> Game:
    """Start a game against bots without a time limit or results. Raises Refused: limits."""
    bots = seats(kind_key).start - 1
    settings = replace(
        before_start.quick_settings(kind_key, bots=bots),
        turn_seconds=None,
        visibility=Game.Visibility.LINK,
    )
    return before_start.play_now(
        user,
        settings,
        bots=_mixed(kind_key, bots),
        holder=holder,
        origin=Origin.WARM_UP,
        now=now,
    )


def end_warm_up(game: Game) -> None:
    """Close a warm-up without a result, if it still runs."""
    close_by_staff.close(game.code, by_staff=False)


def _mixed(kind_key: str, number: int) -> Sequence[str]:
    """Return the keys of this many bots, of all strengths in turn."""
    kinds = list(catalogue.of(kind_key).bots)
    return [kinds[place % len(kinds)] for place in range(number)]


def _change(game: Game, *, now: datetime, **columns: object) -> None:
    """Change an open quick table and advance its `seq`; locks the row until the transaction ends.

    Raises Refused: `not_open`.
    """
    still = Game.objects.filter(pk=game.pk, status=Status.OPEN, origin=Origin.QUICK)
    closes = first_deal.closing_time(now)
    if not still.update(seq=F("seq") + 1, due_at=closes, **columns):
        raise Refused("not_open")
    game.seq = Game.objects.values_list("seq", flat=True).get(pk=game.pk)
    announce.game_changed(game.code, game.seq)
    announce.lobby_changed()
