"""Private tables at which somebody tries again from a moment of a finished game."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.core.contract import Chance
from games.models import Game, Seat, TableSettings
from games.play import before_start
from games.play.commands import Beginning


def begin(
    host: User,
    of: Game,
    moment: int,
    *,
    number: int,
    bot: str,
    beginning: Beginning,
    holder: str,
    now: datetime,
    chance: Chance,
) -> Game:
    """A table like that of the finished game `of`, at which a game goes on from this moment.

    `beginning`: up to there. The host has seat `number`, and bots all others: those that had one,
    and the kind `bot` in place of people. Refused: what a game against bots refuses.
    """
    settings = replace(
        TableSettings.of(of),
        visibility=Game.Visibility.LINK,
        standing_id=None,
        rated=False,
        chat=False,
    )
    with transaction.atomic():
        game = before_start.open_game(
            host, settings, holder=holder, origin=Game.Origin.AGAIN, number=number, now=now
        )
        Game.objects.filter(pk=game.pk).update(from_game=of, from_moment=moment)
        game.from_game, game.from_moment = of, moment
        Seat.objects.bulk_create(
            Seat(game=game, number=seat.number, bot=seat.bot or bot)
            for seat in of.seat_set.exclude(number=number)
        )
        before_start.begin(game, holder=game.holder, now=now, chance=chance, beginning=beginning)
    return game
