"""Quick tables, at which people meet who want to play now, and the warm-ups they play until then.

`games.matching` decides who meets whom, one step of all processes at a time; these are the changes
of games in its transactions. An open quick table is joined and left in no other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F

from accounts.models import User
from games import catalogue
from games.core.chance import SystemChance
from games.errors import Refused
from games.models import Game, Seat, TableSettings
from games.play import announce, before_start, close_by_staff, quotas

# The seats that bots fill; more people than that are seated, as many as the game allows.
SEATS: Final = 4
TURN_SECONDS: Final = 30
COUNTDOWN: Final = timedelta(seconds=10)

Status, Origin = Game.Status, Game.Origin


def seats(kind_key: str) -> range:
    """How many may sit at a quick table of this game: from its usual size to its largest."""
    sizes = catalogue.of(kind_key).rules.SEATS
    return range(min(max(SEATS, sizes.start), sizes[-1]), sizes.stop)


def settings_of(kind_key: str) -> TableSettings:
    """What all quick tables of a game have: any choice would keep people apart."""
    usual = before_start.quick_settings(kind_key, bots=seats(kind_key).start - 1)
    return replace(usual, turn_seconds=TURN_SECONDS, chat=True)


def open_table(host: User, kind_key: str, *, holder: str, now: datetime) -> Game:
    """A quick table at which its host waits. Refused: limits, `account_closed`."""
    settings = settings_of(kind_key)
    return before_start.open_game(host, settings, holder=holder, origin=Origin.QUICK, now=now)


def sit(game: Game, user: User, *, now: datetime) -> None:
    """Take a seat; the table grows where none is free.

    Refused: `not_open`, `table_full`, limits.
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
    Seat.objects.create(game=game, number=number, user=user, seen_at=now)


def stand(game: Game, users: Iterable[int], *, now: datetime) -> None:
    """Free the seats of these people; the next becomes the host, and the last closes the table."""
    _change(game, now=now)
    game.seat_set.filter(user__in=list(users)).delete()
    staying = game.seat_set.select_related("user").first()
    if staying is None:
        before_start.close_table(game)
    elif not game.seat_set.filter(user=game.host_id).exists():
        Game.objects.filter(pk=game.pk).update(host=staying.user)


def play_another(game: Game, kind_key: str, *, now: datetime) -> None:
    """Make it a table of another game, for people to whom that is the same."""
    columns = settings_of(kind_key).columns()
    _change(game, now=now, **columns)
    for name, value in columns.items():
        setattr(game, name, value)


def count_down(game: Game, *, until: datetime | None, now: datetime) -> None:
    """Let the game begin at this time, or (None) wait for people again."""
    _change(game, now=now, starts_at=until)
    game.starts_at = until


def keep_open(game: Game, *, now: datetime) -> None:
    """Somebody still waits there: it closes later. No page shows that."""
    Game.objects.filter(pk=game.pk, status=Status.OPEN).update(
        due_at=before_start.closing_time(now)
    )


def begin(game: Game, *, bots: int, holder: str, now: datetime) -> None:
    """Start the game of the people who sit there and so many bots, counted under `holder`.

    Refused: `not_open`, `too_many_here`, `site_busy`; in a transaction that is then rolled back.
    """
    _change(game, now=now, starts_at=None)
    taken = set(game.seat_set.values_list("number", flat=True))
    free = [number for number in range(len(taken) + bots) if number not in taken]
    kinds = _mixed(game.kind_key, bots)
    Seat.objects.bulk_create(
        Seat(game=game, number=number, bot=kind) for number, kind in zip(free, kinds, strict=False)
    )
    fresh = Game.objects.get(pk=game.pk)
    before_start.begin(fresh, holder=holder, now=now, chance=SystemChance())


def begin_warm_up(user: User, kind_key: str, *, holder: str, now: datetime) -> Game:
    """A game against bots without a time limit, which counts for nothing. Refused: limits."""
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
    """End it without a result, if it still runs."""
    close_by_staff.close(game.code, by_staff=False)


def _mixed(kind_key: str, number: int) -> Sequence[str]:
    """So many bots, of all strengths."""
    kinds = list(catalogue.of(kind_key).bots)
    return [kinds[place % len(kinds)] for place in range(number)]


def _change(game: Game, *, now: datetime, **columns: Any) -> None:
    """Count a change of an open table, whose row is held until the transaction ends.

    Refused: `not_open`.
    """
    still = Game.objects.filter(pk=game.pk, status=Status.OPEN, origin=Origin.QUICK)
    closes = before_start.closing_time(now)
    if not still.update(seq=F("seq") + 1, due_at=closes, **columns):
        raise Refused("not_open")
    game.seq = Game.objects.values_list("seq", flat=True).get(pk=game.pk)
    announce.game_changed(game.code, game.seq)
    announce.lobby_changed()
