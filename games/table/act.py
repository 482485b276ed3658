"""`act`: find a table, check the user, perform their action and return its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from accounts.requests import AnyUser
from games.core import proof
from games.core.contract import IllegalMove
from games.core.numbers import whole_number
from games.errors import Refused
from games.models import Game
from games.play import move_log
from games.store import queries, row_cache
from games.table.results import Done, NoSuchTable, NotDone, Result, SignInFirst


@dataclass(frozen=True, slots=True)
class Actor:
    """The user who acts, over HTTP or a WebSocket.

    `holder` returns the holder that a table of theirs counts for (see `play.before_start`), `home`
    what `Seat.home` has.
    `allows` counts one more action of a name and returns whether it is within the rate limit.
    """

    user: AnyUser
    holder: Callable[[], str]
    home: Callable[[], str]
    allows: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """One request: its actor, its table and its fields (strings, as in a form).

    `number` is the person's seat, for actions in a game. For these, the seat and the game may come
    from this process's cache: the functions of `games.play.commands` check again everything that
    may have changed.
    """

    actor: Actor
    game: Game
    fields: Mapping[str, Any] = field(repr=False)
    now: datetime
    number: int = -1

    @property
    def user(self) -> User:
        return cast(User, self.actor.user)  # `act` rejects anonymous users

    def limit(self, action: str, *, reason: str) -> None:
        """Count one more `action` of this person; raises Refused(reason) beyond the limit."""
        if not self.actor.allows(action):
            raise Refused(reason)

    def whole(self, name: str) -> int:
        """A field as a whole number; Refused: `malformed`."""
        number = whole_number(self.fields.get(name, ""), digits=9)
        if number is None:
            raise Refused("malformed")
        return number

    def hash(self, name: str) -> bytes:
        """A field as 32 bytes, written as 64 hexadecimal digits; Refused: `malformed`."""
        value = proof.read_hash(self.fields.get(name))
        if value is None:
            raise Refused("malformed")
        return value


@dataclass(frozen=True, slots=True)
class Action:
    """An action of people at a table; `name` is for the log.

    `do` returns None if the person stays on their page. An `in_game` action is for the players of a
    game that has begun (otherwise refused: `not_playing`, `not_seated`), and its rows may be
    cached; for other actions the game is read from the database.
    """

    name: str
    do: Callable[[ActionRequest], Done | None]
    in_game: bool = False


@sensitive_variables()
def act(
    actor: Actor, code: str, action: Action, fields: Mapping[str, object], *, now: datetime
) -> Result:
    """Perform `action` at the table `code`. Refusals are logged and counted."""
    if action.in_game:
        game, seat = queries.find(code, actor.user)
    else:
        game, seat = Game.objects.filter(code=code).first(), None
    if game is None:
        return NoSuchTable()
    if not actor.user.is_authenticated:
        return SignInFirst()
    try:
        if action.in_game and game.status == Game.Status.OPEN:  # seats are renumbered at the start
            raise Refused("not_playing")
        if action.in_game and seat is None:
            raise Refused("not_seated")
        number = -1 if seat is None else seat.number
        done = action.do(ActionRequest(actor, game, fields, now, number))
    except (Refused, IllegalMove) as error:
        move_log.refused(game.code, action.name, error.code)
        return NotDone(error.code, error.details, game.kind_key)
    return Done(seq_of(game)) if done is None else done


def seq_of(game: Game) -> int:
    """The current `seq` of a game, after an action."""
    kept = row_cache.cached_game(game.code)
    if kept is not None:
        return kept.seq
    return Game.objects.values_list("seq", flat=True).get(pk=game.pk)
