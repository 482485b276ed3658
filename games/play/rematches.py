"""The next game of the same people, or against the same bots."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from games.errors import Refused
from games.models import Game, Seat
from games.play import announce, before_start
from games.play.tempo import NORMAL
from games.store import queries

# So long the free seats of a public rematch are kept for those who played.
SEATS_KEPT: Final = timedelta(minutes=1)

Status = Game.Status


def rematch(code: str, user: Any, *, holder: str = "", now: datetime) -> Game:
    """The next table for the same people: the first to ask opens it, the others join it.

    It has the same bots, and against bots alone it starts at once. Refused: `not_over`,
    `not_seated`, `already_begun`, and whatever opening or joining refuses.
    """
    with transaction.atomic():
        old = Game.objects.select_for_update().get(code=code)
        if old.status != Status.FINISHED:
            raise Refused("not_over")
        if queries.seat_of(old, user) is None:
            raise Refused("not_seated")
        game = next_table(old)
        if game is None:
            game = before_start.open_game(
                user,
                key=old.rules,
                preset=old.preset,
                options=old.options,
                size=old.size,
                turn_seconds=old.turn_seconds,
                public=old.public,
                show_odds=old.show_odds,
                chat=old.chat,
                tempo=old.tempo,
                holder=holder,
                now=now,
            )
            bots = old.seat_set.exclude(bot="").values_list("bot", flat=True)
            for number, kind in enumerate(bots, start=1):
                Seat.objects.create(game=game, number=number, bot=kind)
            if game.public:
                game.seats_kept_until = now + SEATS_KEPT
                game.save(update_fields=["seats_kept_until"])
            # The row is held since select_for_update, or since the transaction began (SQLite).
            Game.objects.filter(pk=old.pk).update(rematch=game, seq=F("seq") + 1)
            announce.game_changed(old.code, old.seq + 1)
            if old.seat_set.filter(bot="").count() == 1:  # nobody else can join
                before_start.start(game.code, user, holder=holder, now=now)
            return game
    if queries.seat_of(game, user) is None:
        if game.status != Status.OPEN:
            raise Refused("already_begun")
        before_start.sit(game.code, user, now=now)
    return game


def next_table(old: Game) -> Game | None:
    """The rematch of a game; None while nobody has opened one, or when it was closed."""
    game = old.rematch
    return None if game is None or game.status == Status.CLOSED else game


def play_again(code: str, user: Any, *, holder: str = "", now: datetime) -> Game:
    """A new game against the bots of an old one, by its rules. Refused: `with_people`, limits."""
    old = Game.objects.get(code=code)
    bots = list(old.seat_set.exclude(user=user).values_list("bot", flat=True))
    if not all(bots):
        raise Refused("with_people")
    return before_start.play_now(
        user,
        key=old.rules,
        bots=bots,
        preset=old.preset,
        options=old.options,
        tempo=old.tempo or NORMAL,
        holder=holder,
        now=now,
    )
