"""Try again from a moment of a finished game: permissions, valid moments and the new game.

It reads only what the seat was told, so that no hand of another seat gets into the new game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.contract.catalogue import GameKind, Moment
from games.core.chance import SystemChance
from games.core.contract import Chance
from games.errors import Refused
from games.models import Game, Seat, TableSettings
from games.play import before_start, first_deal
from games.play.commands import Beginning
from games.store import queries
from games.store.moments import facts_told


def is_offered(game: Game, person: AnyUser) -> bool:
    """Whether pages of this finished game offer this person to try its moments again."""
    return catalogue.of(game.kind_key).try_again is not None and queries.is_open_to(game, person)


def check(game: Game, number: int, person: AnyUser) -> None:
    """Check that this person may try again from the moment `number`.

    Raises Refused: `not_over`, `private_moment`, `nothing_to_decide`.
    """
    if game.status != Game.Status.FINISHED:
        raise Refused("not_over")
    if not queries.is_open_to(game, person):
        raise Refused("private_moment")
    kind = catalogue.of(game.kind_key)
    if kind.try_again is None or not has_decision(kind, kind.replay.moments(game), number):
        raise Refused("nothing_to_decide")


def has_decision(kind: GameKind, moments: Sequence[Moment], number: int) -> bool:
    """Whether the moment `number`, from 1, shows what a seat did on its turn."""
    if not 1 < number <= len(moments):
        return False
    move = moments[number - 1].move
    if move is None:  # what the rules did, from a state in which nobody had to decide
        return False
    waiting = kind.rules.waiting(moments[number - 2].state)
    return waiting is not None and waiting.kind == "turn" and waiting.on_turn == move.seat


def address(game: Game, number: int) -> str:
    """Return the URL to which the form of the moment `number` is posted."""
    return reverse("games:try-again", args=[game.code, number])


def begin(
    game: Game,
    number: int,
    person: User,
    *,
    holder: str = "",
    now: datetime,
    chance: Chance | None = None,
) -> Game:
    """Start a game in which this person tries again from the decision of the moment `number`.

    Raises Refused: `not_over`, `private_moment`, `nothing_to_decide`, limits.
    """
    check(game, number, person)
    kind, luck = catalogue.of(game.kind_key), chance or SystemChance()
    moments = kind.replay.moments(game)
    move = moments[number - 1].move
    assert move is not None and kind.try_again is not None  # noqa: S101
    told = facts_told(moments[: number - 1], move.seat)
    beginning = kind.try_again.beginning(told, move.seat, luck)
    if beginning is None:
        raise Refused("nothing_to_decide")
    return _open_table(
        person,
        game,
        number,
        number=move.seat,
        bot=kind.try_again.BOT,
        beginning=beginning,
        holder=holder,
        now=now,
        chance=luck,
    )


def _open_table(
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
    """Open a table with the settings of the finished game `of` that continues from this moment.

    `beginning`: the facts and moves up to the moment. The host gets seat `number`; bots keep their
    seats, and the kind `bot` replaces other people. Raises Refused as any game against bots.
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
        first_deal.begin(game, holder=game.holder, now=now, chance=chance, beginning=beginning)
    return game
