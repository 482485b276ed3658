"""The one door of a running game: people, bots and the clock all move through here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games import archive, house, journal, log, push, recent, results, timing
from games.models import Game, Round, Seat
from games.refusal import Refused
from games.rules import rules_of
from games.rules.chance import SystemChance
from games.rules.contract import Chance, Fact, IllegalMove, Sealed, fold

# How often a move that lost a race for a log number is judged again on the new state.
_TRIES = 5

Moves = Iterable[tuple[int, Any]]


@dataclass(slots=True)
class Table:
    """A running game with its seats, read inside the transaction that may change it."""

    game: Game
    seats: list[Seat]
    changed: list[Seat] = field(default_factory=list)  # saved once the game's row is claimed
    timed: bool = False  # its times are others, to be saved with it

    @property
    def rules(self) -> Any:
        return rules_of(self.game.rules)

    def time(self, state: Any, *, now: datetime) -> None:
        timing.set_clock(self.game, self.seats, state, now=now)
        self.timed = True


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
        state = log.public_state(game)
        hurried = game.opens_at is not None and now < game.opens_at
        if hurried and table.rules.cuts_off(state, number, move):
            raise Refused("too_soon")
        _awake(table, seat)
        if move == table.rules.leave_move():
            seat.gone = True
            table.changed.append(seat)
        _play(table, state, [(number, move)], now=now, chance=chance or SystemChance())

    return _in_one_step(code, judge, remembered=recent.begun(code))


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
        if not seat.asleep:
            return
        _awake(table, seat)
        state = log.public_state(game)
        if table.rules.phase(state) == "turn" and table.rules.to_act(state)[0] == number:
            table.time(state, now=now)
        _write(table, seq=game.seq + 1)

    _in_one_step(code, judge)


def _awake(table: Table, seat: Seat) -> None:
    if seat.missed or seat.asleep:
        seat.missed, seat.asleep = 0, False
        table.changed.append(seat)


# --- the house -----------------------------------------------------------------------------------


@sensitive_variables()
def begin(game: Game, seats: list[Seat], *, now: datetime, chance: Chance) -> None:
    """Deal the first round; the caller holds the transaction and has claimed the game."""
    table = Table(game, seats)
    options = table.rules.read_options(game.options)
    facts = table.rules.start(len(seats), options, chance)
    _record(table, None, fold(table.rules, facts), facts, now=now)


@sensitive_variables()
def wake(code: str, *, now: datetime, chance: Chance | None = None) -> None:
    """Do what is due in a game: a bot's move, a sleeper's, the end of a claim or a reveal."""
    luck = chance or SystemChance()

    def judge(table: Table) -> None:
        game = table.game
        if game.status != Game.Status.PLAYING or game.due_at is None or game.due_at > now:
            return
        state = log.public_state(game)
        if table.rules.phase(state) != "turn":
            return _play(table, state, table.rules.due_moves(state), now=now, chance=luck)
        speaker, *others = table.rules.to_act(state)
        if game.due_at != game.turn_ends_at:
            call = house.interruption(game, table.seats, state, others, chance=luck)
            if call:
                return _play(table, state, [call], now=now, chance=luck)
            if game.turn_ends_at is None or game.turn_ends_at > now:
                return _wait_for_the_turn(game)
        seat = table.seats[speaker]
        if not seat.held:  # its person misses the turn
            table.changed.append(seat)
        turn = (speaker, house.turn_of(game, seat, state, chance=luck))
        return _play(table, state, [turn], now=now, chance=luck)

    _in_one_step(code, judge)


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
            _write(table, seq=game.seq + 1)

    _in_one_step(code, judge)


def set_aside(code: str, *, now: datetime, until: datetime) -> None:
    """Let the clock pass over a game whose step failed; not where something was done meanwhile."""
    Game.objects.filter(code=code, due_at__lte=now).update(due_at=until)


def _wait_for_the_turn(game: Game) -> None:
    """Nobody interrupts; a game that has moved on meanwhile keeps its own time."""
    Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=game.turn_ends_at)


# --- one step ------------------------------------------------------------------------------------


def _in_one_step(
    code: str, judge: Callable[[Table], None], *, remembered: Game | None = None
) -> int:
    """Run `judge` on the game in one transaction, again when another writer was faster.

    The answer is the number the game stands at afterwards.

    The transaction is never part of a larger one: what a step has read and told is committed or
    was never there.

    A `remembered` row spares reading it: if it is old, claiming its number fails. But no refusal
    rests on it.
    """
    for _ in range(_TRIES):
        try:
            with transaction.atomic(durable=True):
                game = copy(remembered) if remembered else Game.objects.get(code=code)
                seats = [copy(seat) for seat in recent.seats(game)]
                judge(Table(game, seats))
            return game.seq
        except log.SomeoneWasFaster:
            remembered = None
        except (Refused, IllegalMove):
            if remembered is None:
                raise
            remembered = None
    raise Refused("someone_faster")


def _play(table: Table, state: Any, moves: Moves, *, now: datetime, chance: Chance) -> None:
    """Let the rules decide the moves one after the other, then record what follows."""
    game, rules = table.game, table.rules
    after, facts = _decided(table, state, moves, chance=chance)
    still_up = rules.phase(state) == rules.phase(after) == "reveal"
    if still_up and not timing.people(game, table.seats, after):  # the house need not look longer
        after, more = _decided(table, after, rules.due_moves(after), chance=chance)
        facts += more
    _record(table, state, after, facts, now=now)


@sensitive_variables()
def _decided(table: Table, state: Any, moves: Moves, *, chance: Chance) -> tuple[Any, list[Fact]]:
    """The state after these moves and the facts that lead there; raises IllegalMove.

    Hidden dice are read when a move cannot be judged without them, as when the cups go up, and
    for no other. A move that asks for them in vain has drawn no chance yet.
    """
    facts: list[Fact] = []
    for number, move in moves:
        try:
            new = table.rules.decide(state, number, move, chance)
        except Sealed:
            state = fold(table.rules, facts, log.unsealed(table.game))
            new = table.rules.decide(state, number, move, chance)
        state = fold(table.rules, new, state)
        facts += new
    return state, facts


def _record(table: Table, before: Any, after: Any, facts: list[Fact], *, now: datetime) -> None:
    """Write the facts and all that follows from them, or nothing when someone was faster."""
    game, rules = table.game, table.rules
    first = game.seq + 1
    last = log.append(game, facts, at=now)
    for seq, fact in enumerate(facts, start=first):
        if not fact.aside:
            game.turn_seq = last
        if fact.only is not None:
            game.sealed_seq = seq
        if fact.new_deal:
            game.deal_seq = seq
    ended = rules.outcome(after)
    if ended is not None:
        game.status, game.finished_at = Game.Status.FINISHED, now
        game.pack_at = now + archive.PACKED_AFTER
        for place, number in enumerate(ended.ranking, start=1):
            table.seats[number].place, table.seats[number].live = place, False
        table.changed = table.seats
        push.lobby_changed()
    if before is None or _asks_anew(table, before, after, facts):
        table.time(after, now=now)
    _write(table, seq=last)
    finished = rules.finished_round(after)
    if finished is not None and (before is None or rules.finished_round(before) is None):
        _write_round(table, finished, seq=first)
    if ended is not None:
        results.write(game, table.seats)


def _asks_anew(table: Table, before: Any, after: Any, facts: Iterable[Fact]) -> bool:
    """Whether the time runs anew: another question, or one that now waits for the house."""
    rules = table.rules
    if rules.phase(before) != rules.phase(after):
        return True
    if rules.phase(after) == "reveal":  # who looks or leaves does not keep the cups up longer
        return False
    left_on_turn = rules.phase(after) == "turn" and table.seats[rules.to_act(after)[0]].gone
    return left_on_turn or not all(fact.aside for fact in facts)


def _write_round(table: Table, finished: Any, *, seq: int) -> None:
    """The round's row of history (see `models.Round`), from the rules' account of it."""
    seats = table.seats

    def seat(number: int | None) -> Any:
        return None if number is None else seats[number]

    Round.objects.create(
        game=table.game,
        number=finished.number,
        seq=seq,
        opener=seat(finished.opener),
        palifico=seat(finished.palifico),
        bidder=seat(finished.bidder),
        quantity=finished.bid.quantity,
        face=finished.bid.face,
        call=finished.call,
        caller=seat(finished.caller),
        count=finished.count,
        loser=seat(finished.loser),
        gainer=seat(finished.gainer),
        hands=finished.hands,
    )


_WRITTEN = (
    "seq turn_seq deal_seq sealed_seq seats_seq status started_at finished_at pack_at".split()
)
_TIMES = "opens_at turn_ends_at due_at".split()


def _write(table: Table, *, seq: int) -> None:
    """Claim the game's row from its old number to `seq`; SomeoneWasFaster if it has moved on.

    Other rows are written after the claim only, so that two writers never wait for each other.
    """
    game = table.game
    old, game.seq = game.seq, seq
    if table.changed:
        game.seats_seq = seq
    # The clock may have put its next look off without counting: what is not set anew stays.
    names = _WRITTEN + _TIMES if table.timed else _WRITTEN
    named = {name: getattr(game, name) for name in names}
    if not Game.objects.filter(pk=game.pk, seq=old).update(**named):
        raise log.SomeoneWasFaster
    if table.changed:
        Seat.objects.bulk_update(table.changed, ["missed", "asleep", "gone", "place", "live"])
    transaction.on_commit(partial(recent.keep, game), robust=True)
    push.moved(game.code, seq)
