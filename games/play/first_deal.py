"""From a table whose people are all there to the first deal.

Where the browser of a player adds to the draws, the root is published first, and the table waits
for the salts; see `core.proof`. If one does not come in time, all are forgotten and the others are
asked for new ones, once; then the game begins without who is late.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from accounts.models import User
from games.contract import catalogue
from games.core.contract import Chance
from games.errors import Refused
from games.models import Game, Seat
from games.play import alarm, announce, commands, quotas
from games.play.ratings import verdict
from games.store import proofs, queries

Status = Game.Status
WAITS: Final = timedelta(seconds=2)  # for salts, and for new parts


def begin(
    game: Game,
    *,
    holder: str,
    now: datetime,
    chance: Chance | None = None,
    beginning: commands.Beginning | None = None,
) -> None:
    """Start a game in the transaction of the caller, who has locked the row of its open table.

    If the browser of a player adds to the draws, the table first waits WAITS for the salts; see
    `core.proof`. `chance`, `beginning`: see `commands.begin`. Raises Refused: `too_few`,
    `too_many_here`, `site_busy`.
    """
    seats = list(game.seat_set.select_related("user").order_by("number"))
    sizes = catalogue.of(game.kind_key).rules.SEATS
    if len(seats) not in sizes:
        raise Refused("too_few", least=sizes.start)
    for number, seat in enumerate(seats):  # renumbered without gaps, downwards, so none collide
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])
    _make_room(seats, holder=holder, now=now)
    before = queries.winners_before(game, seats)
    if chance is None and _freeze(game, seats, before):
        Game.objects.filter(pk=game.pk).update(holder=holder)
        return _wait(game, now=now)
    _deal(game, seats, holder=holder, before=before, now=now, chance=chance, beginning=beginning)


def _deal(
    game: Game,
    seats: list[Seat],
    *,
    holder: str,
    before: Sequence[int],
    now: datetime,
    chance: Chance | None = None,
    beginning: commands.Beginning | None = None,
) -> None:
    verdict.freeze(game, seats, now=now)
    for seat in seats:
        seat.seen_at = seat.present_at = None  # both mean something else in a running game
        seat.home = ""
    game.seat_set.update(seen_at=None, present_at=None, home="")
    game.removed.clear()
    game.status, game.started_at = Status.PLAYING, now
    game.holder, game.solo = holder, _people(seats) == 1
    commands.begin(game, seats, now=now, chance=chance, won_before=before, beginning=beginning)


def _make_room(seats: Sequence[Seat], *, holder: str, now: datetime) -> None:
    people = _people(seats)
    quotas.make_room(holder=holder, people=people, bots=people < len(seats), now=now)


def _people(seats: Sequence[Seat]) -> int:
    return sum(not seat.bot for seat in seats)


# --- what browsers add to the draws ---------------------------------------------------------------


def add_part(code: str, user: User, *, part: bytes, now: datetime) -> None:
    """Keep the hash of a salt that the user's browser adds to the draws of an open table.

    Raises Refused: `not_open`, `not_seated`, `begins`.
    """
    with transaction.atomic():
        seat = _seat_before_start(code, user)
        try:
            if proofs.add_part(seat.game, seat, part):
                go_on(seat.game, now=now)
        except ValueError as others:
            raise Refused("begins") from others


def add_salt(code: str, user: User, *, salt: bytes, now: datetime) -> None:
    """Keep this salt at a table whose root is fixed; with the last one the game begins.

    Raises Refused: `not_open`, `not_seated`, `wrong_salt`.
    """
    with transaction.atomic():
        seat = _seat_before_start(code, user)
        try:
            if proofs.add_salt(seat.game, seat, salt):
                go_on(seat.game, now=now)
        except ValueError as wrong:
            raise Refused("wrong_salt") from wrong


def _seat_before_start(code: str, user: User) -> Seat:
    """Return the user's seat at an open table, whose row is locked until the transaction ends."""
    table = Game.objects.filter(code=code, status=Status.OPEN).exclude(origin=Game.Origin.QUICK)
    if not table.update(status=Status.OPEN):  # the lock, as in `_claim_open`
        raise Refused("not_open")
    seat = queries.seat_of(table.get(), user)
    if seat is None:
        raise Refused("not_seated")
    return seat


def go_on(game: Game, *, now: datetime) -> None:
    """Take the next step towards the first deal, at a table that waits for parts or salts.

    What is missing is asked for once more; who is late then is left out. If the game can't begin
    any more, its table is open again. The caller has locked its row.
    """
    game.seq += 1
    Game.objects.filter(pk=game.pk).update(seq=game.seq, due_at=closing_time(now))
    announce.game_changed(game.code, game.seq)
    if proofs.give_up(game):
        return _wait(game, now=now)
    seats = list(game.seat_set.select_related("user").order_by("number"))
    if not proofs.is_frozen(game) and _freeze(game, seats, queries.winners_before(game, seats)):
        return _wait(game, now=now)
    before = proofs.winners_before(game)
    try:
        with transaction.atomic():
            _make_room(seats, holder=game.holder, now=now)
            _deal(copy(game), seats, holder=game.holder, before=before, now=now)
    except Refused:
        proofs.start_over(game)
    announce.lobby_changed()


def begin_now(game: Game, *, now: datetime) -> None:
    """Begin a game that is waited for without what has not come; others stay as they are."""
    with transaction.atomic():
        # The lock, as in `_claim_open`; a game that runs is not touched.
        Game.objects.filter(pk=game.pk, status=Status.OPEN).update(seq=F("seq"))
        game.refresh_from_db()
        while is_waited_for(game):
            go_on(game, now=now)
            game.refresh_from_db()


def is_waited_for(game: Game) -> bool:
    """Whether the game begins as soon as browsers have sent what is waited for."""
    return game.status == Status.OPEN and proofs.is_opening(game)


def waiting() -> QuerySet[Any]:
    """Return the ids of the games that are waited for."""
    return proofs.opening().values("game")


def _wait(game: Game, *, now: datetime) -> None:
    """Let a table wait for what browsers send, for WAITS."""
    Game.objects.filter(pk=game.pk).update(due_at=now + WAITS)
    alarm.set_on_commit(game.code, now + WAITS)


def _freeze(game: Game, seats: Sequence[Seat], before: Sequence[int]) -> bool:
    options = catalogue.of(game.kind_key).rules.read_options(game.options)
    return proofs.freeze(game, options=options, seats=seats, won_before=before)


def closing_time(now: datetime) -> datetime:
    return now + timedelta(minutes=settings.OPEN_TABLE_MINUTES)
