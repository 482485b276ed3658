"""Trying again from a moment: who may, where one can, and the game that begins there.

What the seat was told is read alone, so that nothing that others held then gets into the new game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.urls import reverse

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue
from games.catalogue import GameKind, Moment
from games.core.chance import SystemChance
from games.core.contract import Chance
from games.errors import Refused
from games.models import Game
from games.play import trying
from games.store import queries
from games.store.moments import facts_told


def is_offered(game: Game, person: AnyUser) -> bool:
    """Whether pages of this finished game offer this person to try its moments again."""
    return catalogue.of(game.kind_key).try_again is not None and queries.is_open_to(game, person)


def check(game: Game, number: int, person: AnyUser) -> None:
    """Refused: `not_over`, `private_moment`, `nothing_to_decide`."""
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
    move, waiting = moments[number - 1].move, kind.rules.waiting(moments[number - 2].state)
    if move is None or waiting is None:
        return False
    return waiting.kind == "turn" and waiting.on_turn == move.seat


def address(game: Game, number: int) -> str:
    """Where the form of the moment `number` is posted."""
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
    """The table at which this person tries again from the decision that the moment `number` shows.

    Refused: `not_over`, `private_moment`, `nothing_to_decide`, limits.
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
    return trying.begin(
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
