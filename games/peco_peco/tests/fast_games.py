"""Whole games of Peco Peco through the commands that people, bots and the scheduler use.

Nobody waits: `now` jumps to the moment at which something happens. Chance is seeded, so a game
comes out the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from accounts.models import User
from games.core.chance import SeededChance
from games.models import Game, TableSettings
from games.peco_peco import rules
from games.peco_peco.models import Round
from games.peco_peco.rules.options import PRESETS
from games.peco_peco.rules.state import State
from games.peco_peco.tests.random_games import choose
from games.play import before_start, commands
from games.store import event_log
from tests.games.contract.random_games import seeded
from tests.support.copied_games import Recording, record

START: Final = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
_THINKING: Final = timedelta(seconds=2)
_MOST_STEPS: Final = 5_000  # far beyond any game


def open_table(
    host: User,
    *others: User | str,
    preset: str = "peco_base",
    public: bool = True,
    size: int = 0,
    rated: bool = False,
    **settings: Any,
) -> Game:
    """An open table with these people, and bots by their kind ("easy"); with a `size`, it may have
    free seats.
    """
    game = before_start.open_game(
        host,
        TableSettings(
            kind_key=rules.KEY,
            preset=preset,
            options=replace(PRESETS[preset], **settings).to_json(),
            size=size or len(others) + 1,
            turn_seconds=30,
            visibility=Game.Visibility.PUBLIC if public else Game.Visibility.LINK,
            rated=rated,
        ),
        now=START,
    )
    for other in others:
        if isinstance(other, str):
            before_start.add_bot(game.code, host, kind=other, now=START)
        else:
            before_start.sit(game.code, other, now=START)
    game.refresh_from_db()
    return game


def running_game(
    host: User, *others: User | str, seed: int = 1, now: datetime = START, **table: Any
) -> Game:
    game = open_table(host, *others, **table)
    before_start.start(game.code, host, now=now, chance=SeededChance(seeded(seed)))
    game.refresh_from_db()
    return game


_recordings: dict[Hashable, Recording] = {}


def played_game(
    host: User,
    *others: User | str,
    seed: int = 1,
    missed: float = 0,
    now: datetime = START,
    **table: Any,
) -> Game:
    """A game from the opening of its table to its end; people miss this share of their turns.

    One that was played before in this process is copied row by row.
    """
    people = [host, *(one for one in others if isinstance(one, User))]
    kinds = tuple(one if isinstance(one, str) else "" for one in others)
    key = (kinds, seed, missed, *sorted(table.items()))
    if key in _recordings:
        return _recordings[key].copy(people, began=now)
    game = running_game(host, *others, seed=seed, now=now, **table)
    game = play_until(game, lambda state: False, seed=seed, missed=missed)
    rounds = list(Round.objects.filter(game=game))
    _recordings[key] = record(game, began=now, rounds=rounds)
    return game


def play_until(
    game: Game, enough: Callable[[State], bool], *, seed: int = 1, missed: float = 0
) -> Game:
    """Play on until the public state is such, or the game is over."""
    generator = seeded(seed + 1)
    now = event_log.latest_public_facts(game)[-1].at
    for _ in range(_MOST_STEPS):
        state: State = event_log.public_state(game)
        if game.status == Game.Status.FINISHED or enough(state):
            return game
        now = _step(game, state, generator, now=now, missed=missed)
        game.refresh_from_db()
    raise AssertionError(f"game {game.code} does not end")


def _step(game: Game, state: State, generator: Random, *, now: datetime, missed: float) -> datetime:
    """What happens next: what is due by then, or some person's move. Returns when it was."""
    people = [seat.number for seat in game.seat_set.all() if not seat.held]
    able = [seat for seat in rules.to_act(state) if seat in people]
    then = now + _THINKING
    late = generator.random() < missed
    if game.due_at is not None and (not able or late or game.due_at <= then):
        then = max(now, game.due_at)
        commands.play_due(game.code, now=then, chance=SeededChance(generator))
        return then
    seat = generator.choice(able)
    move = choose(rules.legal_moves(event_log.seat_view(game, seat), seat), generator)
    commands.move(game.code, seat, move, seen=game.seq, now=then, chance=SeededChance(generator))
    return then
