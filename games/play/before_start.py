"""Commands on an open table: create, join, leave, add bots, start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import get_language

from accounts.models import User
from games.contract import catalogue
from games.core.contract import Chance
from games.core.moves import Leave
from games.errors import Refused
from games.models import Game, NextSeat, Seat, TableSettings
from games.play import announce, commands, deadlines, first_deal, quotas, table_names
from games.play.tempo import NORMAL
from games.store import proofs, queries

Status = Game.Status


# --- creating -------------------------------------------------------------------------------------


def open_game(
    host: User,
    settings: TableSettings,
    *,
    holder: str = "",
    home: str = "",
    origin: str = "",
    number: int = 0,
    now: datetime,
) -> Game:
    """Create an open table with its host at seat `number`.

    `holder`: the quota it counts against (see `views.holder`); "": the host's own. `home`: see
    `Seat.home`. Raises Refused: limits, `account_closed`.
    """
    with transaction.atomic():
        quotas.limit(host, holder=holder)
        game = Game.objects.create(
            host=host,
            holder=holder or person(host),
            origin=origin,
            language=get_language() or "",
            due_at=first_deal.closing_time(now),
            **settings.columns(),
        )
        proofs.commit(game)
        Seat.objects.create(game=game, number=number, user=host, home=home, seen_at=now)
        announce.lobby_changed()
    return game


def quick_settings(kind_key: str, *, bots: int) -> TableSettings:
    """Return the settings of a table that one press starts against this number of bots."""
    return TableSettings(
        kind_key=kind_key,
        size=bots + 1,
        turn_seconds=deadlines.turn_seconds(kind_key, bots + 1),
        tempo=NORMAL,
        chat=False,
        **catalogue.of(kind_key).forms.QUICK_PLAY,
    )


def play_now(
    host: User,
    settings: TableSettings,
    *,
    bots: Sequence[str],
    holder: str = "",
    origin: str = "",
    now: datetime,
) -> Game:
    """Create and start a table against these bots. Raises Refused: limits, `site_busy`."""
    with transaction.atomic():
        game = open_game(host, settings, holder=holder, origin=origin, now=now)
        for number, kind in enumerate(bots, start=1):
            Seat.objects.create(game=game, number=number, bot=kind)
        start(game.code, host, holder=holder, now=now)
    return game


# --- joining -------------------------------------------------------------------------------------


def sit(code: str, user: User, *, home: str = "", now: datetime, knowingly: bool = False) -> None:
    """Take the first free seat; `knowingly` allows tables of people whom the user has blocked.

    `home`: see `Seat.home`. Raises Refused: `not_open`, `already_seated`, `blocked` (see
    `queries.is_kept_away`), `removed` by the host, `blocked_here` (see `queries.blocked_by`),
    `seats_kept` for the players of the previous game, `table_full`, limits.
    """
    with transaction.atomic():
        game = _claim_open(code, now=now)
        if queries.seat_of(game, user) is not None:
            raise Refused("already_seated")
        if queries.is_kept_away(game, user):
            raise Refused("blocked")
        if game.removed.contains(user):
            raise Refused("removed")
        if not knowingly and (names := queries.blocked_by(user, game)):
            raise Refused("blocked_here", names=", ".join(names))
        if game.seats_kept_until and now < game.seats_kept_until:
            kept, free = queries.kept_for(game), game.size - game.seat_set.count()
            if user.pk not in kept and 0 < free <= len(kept):
                raise Refused("seats_kept")
        quotas.limit(user, opening=False)
        _take_seat(game, user=user, home=home, seen_at=now)


def add_bot(code: str, user: User, *, kind: str, now: datetime) -> None:
    """Seat a bot for the host; a character can sit only once at a table.

    Raises Refused: `not_open`, `not_host`, `unknown_bot`, `character_here`, `table_full`.
    """
    with transaction.atomic():
        game = _claim_open(code, now=now, host=user)
        offered = catalogue.of(game.kind_key)
        if kind not in offered.bots and kind not in offered.characters:
            raise Refused("unknown_bot")
        if kind in offered.characters and game.seat_set.filter(bot=kind).exists():
            raise Refused("character_here")
        _take_seat(game, bot=kind)


def stand(code: str, user: User, *, now: datetime) -> None:
    """Leave an open table; the next person becomes its host, and the last one closes it.

    Raises Refused: `not_open`, `not_seated`.
    """
    with transaction.atomic():
        game = _claim_open(code, now=now, leaving=True)
        seat = queries.seat_of(game, user)
        if seat is None:
            raise Refused("not_seated")
        seat.delete()
        NextSeat.objects.filter(game__rematch=game, user=user).delete()
        if game.host_id == user.pk:
            heir = game.seat_set.filter(user__isnull=False).first()
            if heir is None:
                close_table(game)
            else:
                Game.objects.filter(pk=game.pk).update(host=heir.user)


def show_new_name(code: str, user: User, *, now: datetime) -> None:
    """Show a player's new name at an open table. Raises Refused: `not_open`, `not_seated`."""
    with transaction.atomic():
        game = _claim_open(code, now=now, leaving=True)
        if queries.seat_of(game, user) is None:
            raise Refused("not_seated")


def remove(code: str, user: User, *, number: int, now: datetime) -> None:
    """Remove another player for the host; they cannot join this table again.

    Raises Refused: `not_open`, `not_host`, `someone_faster` if the seat is not another player's.
    """
    with transaction.atomic():
        game = _claim_open(code, now=now, host=user)
        seat = game.seat_set.filter(number=number).exclude(user=user).first()
        if seat is None:
            raise Refused("someone_faster")
        if seat.user is not None:
            game.removed.add(seat.user)
        seat.delete()


def set_chat(code: str, user: User, *, on: bool, now: datetime) -> None:
    """Turn the table's chat on or off for the host. Raises Refused: `not_open`, `not_host`."""
    with transaction.atomic():
        game = _claim_open(code, now=now, host=user)
        Game.objects.filter(pk=game.pk).update(chat=on)
        announce.chat_changed(game.code)


def start(
    code: str, user: User, *, holder: str = "", now: datetime, chance: Chance | None = None
) -> None:
    """Start the game with the players who have joined; it counts against the quota of `holder`.

    The host may start it, and `acting_host` while the host is away (see `waiting_tables`). Anybody
    seated at a game of a standing table may start it.

    Raises Refused: `not_open`, `not_host`, `too_few`, and `too_many_here` or `site_busy` if too
    many games run.
    """
    with transaction.atomic():
        game = _claim_open(code, now=now)
        may_act = user.pk == game.acting_host_id or game.standing_id is not None
        acts = may_act and queries.seat_of(game, user) is not None
        if user.pk != game.host_id and not acts:
            raise Refused("not_host")
        first_deal.begin(game, holder=holder or person(user), now=now, chance=chance)


def close(code: str, user: User, *, now: datetime) -> None:
    """Close an open table for its host. Raises Refused: `not_open`, `not_host`."""
    with transaction.atomic():
        close_table(_claim_open(code, now=now, host=user))


def close_abandoned(code: str, *, now: datetime) -> None:
    """Close an open table whose closing time has passed, unless it has just changed; one that waits
    for salts begins.
    """
    with transaction.atomic():
        game = Game.objects.filter(code=code, status=Status.OPEN, due_at__lte=now).first()
        # The conditional update is the lock, as in `_claim_open`.
        if game and Game.objects.filter(pk=game.pk, seq=game.seq).update(seq=F("seq") + 1):
            if first_deal.is_waited_for(game):
                return first_deal.go_on(game, now=now)
            close_table(game)
            announce.game_changed(game.code, game.seq + 1)
            announce.lobby_changed()


def give_seat(code: str, old: User, new: User) -> bool:
    """Transfer a seat, and the host role and quota with it, to another account of the same person.

    False if the table is not open, or `old` has no seat or `new` has one. May run in a transaction.
    """
    with transaction.atomic():
        this = Game.objects.filter(code=code, status=Status.OPEN)
        if not this.update(seq=F("seq") + 1):  # the lock, as in `_claim_open`
            return False
        game = this.get()
        seats = game.seat_set.filter(user=old)
        if game.seat_set.filter(user=new).exists() or not seats.update(user=new):
            return False
        this.filter(host=old).update(host=new)
        this.filter(acting_host=old).update(acting_host=new)
        this.filter(holder=person(old)).update(holder=person(new))
        announce.game_changed(code, game.seq)
        announce.chat_changed(code)
        announce.lobby_changed()
    return True


def leave_everything(user: User, *, now: datetime) -> None:
    """Leave every open table and every running game."""
    for seat in queries.seats_in_progress(user).select_related("game"):
        first_deal.begin_now(seat.game, now=now)
        try:
            if seat.game.status == Status.OPEN:
                stand(seat.game.code, user, now=now)
            else:
                commands.move(seat.game.code, seat.number, Leave(), seen=None, now=now)
        except (Refused, ValueError):  # it ended meanwhile, or they are out already
            continue


def send_away(user: User, *, now: datetime) -> None:
    """Free every seat of a suspended account, and close its sockets."""
    leave_everything(user, now=now)
    announce.sessions_ended(user.pk)


# --- the parts -----------------------------------------------------------------------------------


def _claim_open(
    code: str, *, now: datetime, host: User | None = None, leaving: bool = False
) -> Game:
    """Advance `seq` of an open table, which locks its row until the transaction ends.

    The conditional update is the lock that serialises joining and starting. Quick tables are
    changed only by `quick_tables`, except that anybody may leave one here (`leaving`). What is
    raised undoes it: the caller has opened a transaction.
    """
    touched = Game.objects.filter(code=code, status=Status.OPEN).update(
        seq=F("seq") + 1, due_at=first_deal.closing_time(now)
    )
    game = Game.objects.get(code=code)
    if not touched:
        raise Refused("not_open")
    if first_deal.is_waited_for(game):
        raise Refused("begins")
    if game.origin == Game.Origin.QUICK and not leaving:
        raise Refused("quick_table")
    if host is not None and game.host_id != host.pk:
        raise Refused("not_host")
    if host is not None:
        game.seat_set.filter(user=host).update(seen_at=now)
    announce.game_changed(game.code, game.seq)
    announce.lobby_changed()
    return game


def _take_seat(game: Game, **who: object) -> None:
    taken = set(game.seat_set.values_list("number", flat=True))
    free = [number for number in range(game.size) if number not in taken]
    if not free:
        raise Refused("table_full")
    try:
        with transaction.atomic():
            Seat.objects.create(game=game, number=free[0], **who)
    except IntegrityError as taken_already:
        raise Refused("seat_taken") from taken_already
    table_names.settle(game)


def close_table(game: Game) -> None:
    """Close an open table in the transaction of the caller, who has locked its row."""
    Game.objects.filter(pk=game.pk).update(status=Status.CLOSED, due_at=None, holder="")
    game.seat_set.update(live=False, home="")
    proofs.forget_parts(game)
    game.removed.clear()


def person(user: User) -> str:
    """Return the holder of a user's tables if their address is unknown."""
    return f"person-{user.pk}"
