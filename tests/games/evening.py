"""One game whose dice are written down, and the time at its table: tests say who does what when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.core.chance import ScriptedChance
from games.core.contract import Fact, IllegalMove
from games.errors import Refused
from games.models import Event, Game, Seat
from games.perudo import rules
from games.perudo.models import Round
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Confirm, Dudo, Leave
from games.play import before_start, commands
from games.store import event_log
from games.store.event_log import RecordedEvent
from tests.games.playing import EVENING, open_table

DUDO, CALZA, CONFIRM, LEAVE = Dudo(), Calza(), Confirm(), Leave()


def bid(text: str) -> Bid:
    """A bid as people write it: `3x5`, `4xP`."""
    return Bid.from_text(text)


class Evening:
    """A running game. `now` is the time of its last step; a step without `chance` needs no dice."""

    def __init__(self, game: Game, *, now: datetime = EVENING) -> None:
        self.code = game.code
        self.now = now

    @property
    def game(self) -> Game:
        return Game.objects.get(code=self.code)

    @property
    def state(self) -> Any:
        return event_log.public_state(self.game)

    @property
    def kinds(self) -> list[str]:
        """What is in the log, everything, in order."""
        return list(Event.unsealed.filter(game__code=self.code).values_list("kind", flat=True))

    def seat(self, number: int) -> Seat:
        return Seat.objects.get(game__code=self.code, number=number)

    def says(
        self,
        number: int,
        move: Any,
        *,
        after: float = 5,
        seen: int | None = None,
        rolls: Sequence[int] = (),
    ) -> None:
        """Somebody moves so many seconds later, having seen the newest screen unless told."""
        then = self.now + timedelta(seconds=after)
        seen = self.game.seq if seen is None else seen
        commands.move(self.code, number, move, seen=seen, now=then, chance=ScriptedChance(rolls))
        self.now = then

    def comes_back(self, number: int, *, after: float = 5) -> None:
        then = self.now + timedelta(seconds=after)
        commands.come_back(self.code, number, now=then)
        self.now = then

    def replaced_by_bots(self, *numbers: int) -> None:
        """Bots play for these people from now on, as after two turns they missed."""
        Seat.objects.filter(game__code=self.code, number__in=numbers).update(asleep=True, missed=2)
        seq = self.game.seq + 1
        Game.objects.filter(code=self.code).update(seq=seq, seats_seq=seq)

    def clock_strikes(self, *, rolls: Sequence[int] | None = ()) -> None:
        """The clock does what is due, at that very moment; `rolls` None is real rng."""
        due = self.game.due_at
        assert due is not None, "nothing is due"
        self.now = max(self.now, due)
        commands.play_due(
            self.code, now=self.now, chance=None if rolls is None else ScriptedChance(rolls)
        )

    def seconds_until(self, at: datetime | None) -> float | None:
        return None if at is None else (at - self.now).total_seconds()

    @property
    def times(self) -> tuple[float | None, float | None, float | None]:
        """opens_at, turn_ends_at and due_at, in seconds from now; None where there is none."""
        game = self.game
        opens, ends, due = map(self.seconds_until, (game.opens_at, game.turn_ends_at, game.due_at))
        return opens, ends, due


def dealt(
    host: User,
    *opponents: User | str,
    hands: Sequence[Sequence[int]],
    opener: int = 0,
    **table: Any,
) -> Evening:
    """A game that has just begun, with these dice under the cups."""
    game = open_table(host, *opponents, **table)
    dice = [die for hand in hands for die in hand]
    before_start.start(game.code, host, now=EVENING, chance=ScriptedChance([opener, *dice]))
    return Evening(game)


def asleep(evening: Evening, *numbers: int) -> None:
    """Bots play for these people, as after two turns they missed."""
    game, seq = Game.objects.filter(code=evening.code), evening.game.seq + 1
    Seat.objects.filter(game__code=evening.code, number__in=numbers).update(asleep=True, missed=2)
    speaks = evening.state.phase == "turn" and evening.state.turn in numbers
    due = {"due_at": evening.now, "turn_ends_at": evening.now} if speaks else {}
    game.update(seq=seq, seats_seq=seq, **due)


def all_rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the games, so that a test can say: nothing has changed."""
    managers = (Game.objects, Seat.objects, Round.objects, Event.unsealed)
    return {each.model.__name__: list(each.order_by("pk").values()) for each in managers}


def refused(action: Callable[[], Any]) -> str:
    """The code with which the action is refused, after checking that no row has changed."""
    before = all_rows()
    with pytest.raises((Refused, IllegalMove)) as refusal:
        action()
    assert all_rows() == before
    return refusal.value.code


def append(game: Game, *facts: Fact) -> int:
    """Write facts behind the game's own number; the last number."""
    events = [RecordedEvent(game.seq + n, EVENING, fact) for n, fact in enumerate(facts, start=1)]
    known = event_log.known(game).then(rules, events, seq=events[-1].seq)
    event_log.append(game, events, known=known)
    return events[-1].seq


def names(code: str) -> list[str | None]:
    """Who sits at the table, by seat; bots by their kind, None for a free seat."""
    game = Game.objects.get(code=code)
    taken = {
        seat.number: seat.user.username if seat.user else seat.bot for seat in game.seat_set.all()
    }
    return [taken.get(number) for number in range(game.size)]
