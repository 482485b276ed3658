"""One game whose dice are written down, and the time at its table: tests say who does what when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.contract.game_values import RecordedFact
from games.core.chance import ScriptedChance
from games.core.contract import Fact, IllegalMove
from games.core.moves import Confirm, Leave
from games.errors import Refused
from games.models import FactRow, Game, Seat
from games.perudo import rules
from games.perudo.models import Round
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.play import before_start, commands
from games.store import event_log
from tests.support.fast_games import START, open_table

DUDO, CALZA, CONFIRM, LEAVE = Dudo(), Calza(), Confirm(), Leave()


def bid(text: str) -> Bid:
    """A bid as people write it: `3x5`, `4xP`."""
    return Bid.from_text(text)


class GameDriver:
    """A running game. `now` is the time of its last step; a step without `chance` needs no dice."""

    def __init__(self, game: Game, *, now: datetime = START) -> None:
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
        return list(FactRow.unsealed.filter(game__code=self.code).values_list("kind", flat=True))

    def seat(self, number: int) -> Seat:
        return Seat.objects.get(game__code=self.code, number=number)

    def move(
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

    def come_back(self, number: int, *, after: float = 5) -> None:
        then = self.now + timedelta(seconds=after)
        commands.come_back(self.code, number, now=then)
        self.now = then

    def hand_to_bots(self, *numbers: int) -> None:
        """Bots play for these people from now on, as after two turns they missed."""
        Seat.objects.filter(game__code=self.code, number__in=numbers).update(asleep=True, missed=2)
        seq = self.game.seq + 1
        Game.objects.filter(code=self.code).update(seq=seq, seats_seq=seq)

    def run_due(self, *, rolls: Sequence[int] | None = ()) -> None:
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


def deal_game(
    host: User,
    *opponents: User | str,
    hands: Sequence[Sequence[int]],
    opener: int = 0,
    **table: Any,
) -> GameDriver:
    """A game that has just begun, with these dice under the cups."""
    game = open_table(host, *opponents, **table)
    dice = [die for hand in hands for die in hand]
    before_start.start(game.code, host, now=START, chance=ScriptedChance([opener, *dice]))
    return GameDriver(game)


def hand_to_bots_now(driver: GameDriver, *numbers: int) -> None:
    """Bots play for these people, as after two turns they missed."""
    game, seq = Game.objects.filter(code=driver.code), driver.game.seq + 1
    Seat.objects.filter(game__code=driver.code, number__in=numbers).update(asleep=True, missed=2)
    speaks = driver.state.phase == "turn" and driver.state.turn in numbers
    due = {"due_at": driver.now, "turn_ends_at": driver.now} if speaks else {}
    game.update(seq=seq, seats_seq=seq, **due)


def all_rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the games, so that a test can say: nothing has changed."""
    managers: tuple[Any, ...] = (Game.objects, Seat.objects, Round.objects, FactRow.unsealed)
    return {each.model.__name__: list(each.order_by("pk").values()) for each in managers}


def refusal_of(action: Callable[[], Any]) -> str:
    """The code with which the action is refused, after checking that no row has changed."""
    before = all_rows()
    with pytest.raises((Refused, IllegalMove)) as refusal:
        action()
    assert all_rows() == before
    assert isinstance(refusal.value, Refused | IllegalMove)
    return refusal.value.code


def append_facts(game: Game, *facts: Fact) -> int:
    """Write facts behind the game's own number; the last number."""
    events = [RecordedFact(game.seq + n, START, fact) for n, fact in enumerate(facts, start=1)]
    known = event_log.known(game).then(rules, events, seq=events[-1].seq)
    event_log.append(game, events, known=known)
    return events[-1].seq


def seat_names(code: str) -> list[str | None]:
    """Who sits at the table, by seat; bots by their kind, None for a free seat."""
    game = Game.objects.get(code=code)
    taken = {
        seat.number: seat.user.username if seat.user else seat.bot for seat in game.seat_set.all()
    }
    return [taken.get(number) for number in range(game.size)]
