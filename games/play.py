"""The one door of a running game: people, bots and the clock all move through here."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.views.decorators.debug import sensitive_variables

from games import abandoned, house, journal, log, recent, skip, step, timing
from games.core.chance import SystemChance
from games.core.contract import Chance, fold
from games.models import Game, Seat
from games.refusal import Refused
from games.step import Table

# --- people --------------------------------------------------------------------------------------


@journal.noted
@sensitive_variables()
def move(
    code: str,
    number: int,
    move: Any,
    *,
    seen: int | None,
    now: datetime,
    chance: Chance | None = None,
) -> int:
    """The person at seat `number` makes `move`, having seen the screen `seen` (None: any).

    The answer is the number the game stands at then.

    Raises IllegalMove with the reason of the rules, or Refused: `not_playing`, `stale`,
    `already_left`, `too_soon`, `someone_faster`. Whatever is raised, nothing has changed.
    """

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING:
            raise Refused("not_playing")
        if seen is not None and not game.turn_seq <= seen <= game.seq:
            raise Refused("stale")
        seat = table.seats[number]
        if seat.gone:
            raise Refused("already_left")
        game.watched_at = now
        state = log.public_state(game)
        hurried = game.opens_at is not None and now < game.opens_at
        if hurried and table.rules.cuts_off(state, number, move):
            raise Refused("too_soon")
        _awake(table, seat)
        moves = [(number, move)]
        if move == table.rules.leave_move():
            seat.gone = True
            table.changed.append(seat)
            if abandoned.all_left(table.seats):
                moves += abandoned.departures(game, table.seats, state)
        step.play(table, state, moves, now=now, chance=chance or SystemChance())

    return step.take(code, judge, remembered=recent.begun(code))


def come_back(code: str, number: int, *, now: datetime) -> None:
    """The person takes his seat back from the bot that held it.

    Refused: `not_playing`, `already_left`, `someone_faster`.
    """

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING:
            raise Refused("not_playing")
        seat = table.seats[number]
        if seat.gone:
            raise Refused("already_left")
        state = log.public_state(game)
        if not seat.asleep or number not in table.rules.in_play(state):
            return  # a bot has played the game to its end for a person who is out
        _awake(table, seat)
        game.watched_at = now
        if table.rules.phase(state) == "turn" and table.rules.to_act(state)[0] == number:
            table.time(state, now=now)
        step.claim(table, seq=game.seq + 1)

    step.take(code, judge)


def skip_to_the_end(code: str, number: int, *, now: datetime) -> None:
    """The person at seat `number` is out and wants the bots to play on without pauses.

    They do as soon as everybody who is out and still watches wants it (see `skip`).

    Refused: `not_playing`, `already_left`, `people_play`, `someone_faster`.
    """

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING:
            raise Refused("not_playing")
        seat = table.seats[number]
        if seat.gone:
            raise Refused("already_left")
        state = log.public_state(game)
        if not skip.only_bots_play(game, table.seats, state):
            raise Refused("people_play")
        if seat.skips:
            return
        seat.skips, seat.seen_at = True, now
        table.changed.append(seat)
        if skip.is_agreed(game, table.seats, state, now=now):
            game.skipping = True
            table.time(state, now=now)
        step.claim(table, seq=game.seq + 1)

    step.take(code, judge)


def _awake(table: Table, seat: Seat) -> None:
    if seat.missed or seat.asleep:
        seat.missed, seat.asleep = 0, False
        table.changed.append(seat)


# --- the house -----------------------------------------------------------------------------------


@sensitive_variables()
def begin(game: Game, seats: list[Seat], *, now: datetime, chance: Chance) -> None:
    """Deal the first round; the caller holds the transaction and has claimed the game."""
    table = Table(game, seats)
    game.watched_at = now
    options = table.rules.read_options(game.options)
    facts = table.rules.start(len(seats), options, chance)
    step.record(table, None, fold(table.rules, facts), facts, now=now)


@sensitive_variables()
def wake(code: str, *, now: datetime, chance: Chance | None = None) -> None:
    """Do what is due in a game: a bot's move, a sleeper's, the end of a claim or a reveal."""
    luck = chance or SystemChance()

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING or game.due_at is None or game.due_at > now:
            return
        state = log.public_state(game)
        if abandoned.is_abandoned(game, table.seats, state, now=now):
            leaving = abandoned.departures(game, table.seats, state)
            return step.play(table, state, leaving, now=now, chance=luck, automatic=True)
        table.silent = game.skipping  # only the end is shown
        game.skipping = game.skipping or skip.is_agreed(game, table.seats, state, now=now)
        if table.rules.phase(state) != "turn":
            due = table.rules.due_moves(state)
            return step.play(table, state, due, now=now, chance=luck, automatic=True)
        speaker, *others = table.rules.to_act(state)
        if game.skipping or game.due_at != game.turn_ends_at:
            call = house.interruption(game, table.seats, state, others, chance=luck)
            if call:
                return step.play(table, state, [call], now=now, chance=luck)
            if game.turn_ends_at is None or game.turn_ends_at > now:
                return _wait_for_the_turn(game)
        seat = table.seats[speaker]
        if not seat.held:  # its person misses the turn
            table.changed.append(seat)
        turn = (speaker, house.turn_of(game, seat, state, chance=luck))
        return step.play(table, state, [turn], now=now, chance=luck, automatic=True)

    step.take(code, judge)


def forgive(code: str, *, now: datetime) -> None:
    """Give the people a game waits for their whole time again: the house was closed.

    The house gives itself none. But where the wall's clock was put back, it would wait until that
    has caught up, so it takes its time anew there.
    """

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING:
            return
        state, was_due = log.public_state(game), game.due_at
        table.time(state, now=now)
        for_people = table.rules.phase(state) != "claims" and timing.people(
            game, table.seats, state
        )
        if for_people or (was_due and game.due_at and game.due_at < was_due):
            step.claim(table, seq=game.seq + 1)

    step.take(code, judge)


def set_aside(code: str, *, now: datetime, until: datetime) -> None:
    """Let the clock pass over a game whose step failed; not where something was done meanwhile."""
    Game.objects.filter(code=code, due_at__lte=now).update(due_at=until)


def _wait_for_the_turn(game: Game) -> None:
    """Nobody interrupts; a game that has moved on meanwhile keeps its own time."""
    Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=game.turn_ends_at)
