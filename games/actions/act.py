"""`act`: finds a table, sees who asks, does what they ask for, and says what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from accounts.requests import AnyUser
from games.actions.outcomes import Done, NoSuchTable, NotDone, Outcome, SignInFirst
from games.core.contract import IllegalMove
from games.errors import Refused
from games.models import Game
from games.play import move_log
from games.store import queries, row_cache


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, through whatever connection.

    `holder` says what a table of theirs is counted under (see `play.before_start`). `allows` counts
    one more action of a name and says whether that is within the limit.
    """

    user: AnyUser
    holder: Callable[[], str]
    allows: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: by whom, at which table, with which fields (strings, as of a form).

    `number` is that of the person's seat, for actions in a game. It and the game may then come from
    this process's cache: the functions of `games.play.commands` check again whatever may have
    changed.
    """

    actor: Actor
    game: Game
    fields: Mapping[str, Any] = field(repr=False)
    now: datetime
    number: int = -1

    @property
    def user(self) -> User:
        return cast(User, self.actor.user)  # `act` lets nobody else ask

    def limit(self, action: str, *, reason: str) -> None:
        """Count one more `action` of this person; Refused(reason) beyond the limit."""
        if not self.actor.allows(action):
            raise Refused(reason)

    def whole(self, name: str) -> int:
        """A field as a whole number; Refused: `malformed`."""
        text = self.fields.get(name, "")
        if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10):
            raise Refused("malformed")
        return int(text)


@dataclass(frozen=True, slots=True)
class Action:
    """Something people do at a table; `name` is for the log.

    `do` returns None where the person stays on their page. `in_game`: for the players of a game
    that has begun (else refused: `not_playing`, `not_seated`), whose rows may be cached; otherwise
    the game is as the database has it.
    """

    name: str
    do: Callable[[Asked], Done | None]
    in_game: bool = False


@sensitive_variables()
def act(
    actor: Actor, code: str, action: Action, fields: Mapping[str, Any], *, now: datetime
) -> Outcome:
    """Do `action` at the table `code`; a refusal is logged and counted."""
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
        done = action.do(Asked(actor, game, fields, now, number))
    except (Refused, IllegalMove) as error:
        move_log.refused(game.code, action.name, error.code)
        return NotDone(error.code, error.details, game.kind_key)
    return Done(seq_of(game)) if done is None else done


def seq_of(game: Game) -> int:
    """The number that a game has reached, after an action."""
    kept = row_cache.cached_game(game.code)
    if kept is not None:
        return kept.seq
    return Game.objects.values_list("seq", flat=True).get(pk=game.pk)
