"""One move of a running game in one transaction, under an optimistic lock, retried when beaten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games import catalogue
from games.core.contract import Chance, Fact, IllegalMove, Rules, Sealed, Waiting, fold
from games.errors import Refused
from games.models import Game, Seat
from games.play import alarm, announce, deadlines, finish
from games.store import archive, event_log, row_cache
from games.store.event_log import Known, RecordedEvent

# How often a move is tried when other writers are faster.
_TRIES = 5

Moves = Iterable[tuple[int, Any]]


def attempts(code: str, *, cached: Game | None = None) -> Iterator[Attempt]:
    """Attempts at one transaction on a game: `for attempt in attempts(code): with attempt as tx:`.

    The loop ends after the first attempt that is committed. The next one follows when another
    writer was faster (SomeoneWasFaster); after five, Refused: `someone_faster`.

    A `cached` row saves reading it. If it is stale, the optimistic lock fails; and no refusal rests
    on it: a move that it makes Refused or IllegalMove is judged again on a row that was just read.
    """
    for _ in range(_TRIES):
        attempt = Attempt(code, cached)
        yield attempt
        if attempt.committed:
            return
        cached = None
    raise Refused("someone_faster")


class Attempt:
    """One try at a transaction on a game: a context manager that gives a GameTransaction.

    It is never part of a larger transaction: what it has read and announced is committed or was
    never there. SomeoneWasFaster does not leave it, nor a refusal that rests on a cached row.
    """

    def __init__(self, code: str, cached: Game | None) -> None:
        self.committed = False
        self._code = code
        self._row = cached
        self._is_cached = cached is not None
        self._atomic = transaction.atomic(durable=True)

    def read(self) -> tuple[Game, list[Seat]]:
        """The game and its seats; before the transaction opens, for bots to think about."""
        if self._row is None:
            self._row = Game.objects.get(code=self._code)
        game = copy(self._row)
        return game, [copy(seat) for seat in row_cache.seats(game)]

    def __enter__(self) -> GameTransaction:
        self._atomic.__enter__()
        try:
            return GameTransaction(*self.read())
        except BaseException as error:
            self._atomic.__exit__(type(error), error, error.__traceback__)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._atomic.__exit__(kind, error, trace)
        self.committed = error is None
        refused = self._is_cached and isinstance(error, Refused | IllegalMove)
        return refused or isinstance(error, event_log.SomeoneWasFaster)


@dataclass(slots=True)
class GameTransaction:
    """A running game with copies of its seats, read in this transaction or cached by this process.

    They may be stale; `save` finds that out before anything is changed.
    """

    game: Game
    seats: list[Seat]
    changed: list[Seat] = field(default_factory=list)  # saved once the game's row is updated
    fields: list[str] = field(default_factory=list)  # of the game, to save besides the usual ones
    silent: bool = False  # screens are not told of this move
    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = catalogue.of(self.game.rules).rules

    def watched(self, *, now: datetime) -> None:
        """A person has just acted in this game."""
        self.game.watched_at = now
        self.fields.append("watched_at")

    def set_deadlines(self, state: Any, waiting: Waiting | None, *, now: datetime) -> None:
        deadlines.set_deadlines(self.game, self.seats, state, waiting, now=now)
        self.fields += _DEADLINES

    def start(self, facts: Sequence[Fact], *, now: datetime) -> None:
        """Record the facts of a new game."""
        events = self._events(facts, 1, now=now, automatic=False)
        known = Known().then(self.rules, events, seq=events[-1].seq)
        self._record(
            None, known, events, self.rules.waiting(known.state), new_deadlines=True, now=now
        )

    def play(
        self, known: Known, moves: Moves, *, now: datetime, chance: Chance, automatic: bool = False
    ) -> None:
        """Let the rules decide the moves one after the other, and record what follows.

        `known` is what everybody knows before them. `automatic`: moves of a bot or a timeout, not
        of people. Raises IllegalMove, or SomeoneWasFaster; then nothing is changed.
        """
        waiting = self.rules.waiting(known.state)
        after, events = self._decided(known, moves, [], now=now, chance=chance, automatic=automatic)
        then = self.rules.waiting(after.state)
        if waiting and then and self._is_pointless(waiting, then, after.state, now=now):
            due = self.rules.due_moves(after.state)
            after, events = self._decided(
                after, due, events, now=now, chance=chance, automatic=True
            )
            then = self.rules.waiting(after.state)
        new_deadlines = self._needs_new_deadlines(waiting, then, events)
        self._record(known.state, after, events, then, new_deadlines=new_deadlines, now=now)

    def _is_pointless(self, before: Waiting, then: Waiting, state: Any, *, now: datetime) -> bool:
        """Whether there is nobody left to wait for: in a reveal, or in a window."""
        if before.kind == then.kind == "reveal":
            return not deadlines.people(self.seats, then)
        if before.kind == then.kind == "window":
            return deadlines.may_close(self.game, self.seats, state, then, now=now)
        return False

    @sensitive_variables()
    def _decided(
        self,
        known: Known,
        moves: Moves,
        events: list[RecordedEvent],
        *,
        now: datetime,
        chance: Chance,
        automatic: bool,
    ) -> tuple[Known, list[RecordedEvent]]:
        """What everybody knows after the moves, and the events that lead there after `events`.

        Each new fact is folded once, into the public state. Hidden facts are read when a move
        cannot be decided without them, and for no other. A move that asks for them in vain has
        drawn no chance yet.
        """
        rules = self.rules
        for number, move in moves:
            state = known.state
            if events and rules.waiting(state) is None:  # the moves before ended the game
                break
            try:
                facts = rules.decide(state, number, move, chance)
            except Sealed:
                whole = fold(rules, (each.fact for each in events), event_log.unsealed(self.game))
                facts = rules.decide(whole, number, move, chance)
            new = self._events(
                facts,
                len(events) + 1,
                now=now,
                automatic=automatic and self._is_for_a_person(number, state),
            )
            known = known.then(rules, new, seq=new[-1].seq)
            events = events + new
        return known, events

    def _events(
        self, facts: Sequence[Fact], place: int, *, now: datetime, automatic: bool
    ) -> list[RecordedEvent]:
        """Facts with the numbers after `game.seq` from `place` on; the first one may be marked."""
        first = self.game.seq + place
        return [
            RecordedEvent(seq, now, fact, automatic and seq == first)
            for seq, fact in enumerate(facts, start=first)
        ]

    def _is_for_a_person(self, number: int, state: Any) -> bool:
        """Whether an automatic move replaces one of a person: what closes a window does not."""
        if self.seats[number].user_id is None:
            return False
        waiting = self.rules.waiting(state)
        return waiting is None or waiting.kind != "window"

    def _needs_new_deadlines(
        self, before: Waiting | None, after: Waiting | None, events: Iterable[RecordedEvent]
    ) -> bool:
        """Whether deadlines start again: the game waits for something else, or now for a bot."""
        if before is None or after is None or before.kind != after.kind:
            return True
        if after.kind == "reveal":  # nobody makes it longer by acknowledging it or by leaving
            return False
        on_turn = after.on_turn if after.kind == "turn" else None
        left = on_turn is not None and self.seats[on_turn].gone
        return left or not all(event.fact.aside for event in events)

    def _record(
        self,
        before: Any | None,
        known: Known,
        events: Sequence[RecordedEvent],
        waiting: Waiting | None,
        *,
        new_deadlines: bool,
        now: datetime,
    ) -> None:
        """Write the events and all that follows from them; SomeoneWasFaster writes nothing."""
        game, rules, after = self.game, self.rules, known.state
        first, last = events[0].seq, events[-1].seq
        event_log.append(game, events, known=known)
        for event in events:
            if not event.fact.aside:
                game.turn_seq = last
            if event.fact.audience is not None:
                game.sealed_seq = event.seq
            if event.fact.new_deal:
                game.deal_seq = event.seq
        ended = rules.outcome(after)
        if ended is not None:
            game.status, game.finished_at = Game.Status.FINISHED, now
            game.pack_at = now + archive.PACKED_AFTER
            self.silent = False
            game.holder, game.paused_at = "", None
            self.fields += ["holder", "paused_at"]
            for seat in self.seats:
                seat.live = False
            placed = ended.places()
            for place, number in placed:
                self.seats[number].place = place
            for number in ended.unranked:  # behind everyone who stayed
                self.seats[number].place = len(placed) + 1
            self.changed = self.seats
            announce.lobby_changed()
        if before is not None:
            self._note_who_is_out(before, after, now=now)
        if new_deadlines:
            self.set_deadlines(after, waiting, now=now)
        self.save(seq=last)
        finished = rules.finished_round(after)
        if finished is not None and (before is None or rules.finished_round(before) is None):
            catalogue.of(game.rules).stats.write_round(game, self.seats, finished, seq=first)
        if ended is not None:
            finish.write(game, self.seats)

    def _note_who_is_out(self, before: Any, after: Any, *, now: datetime) -> None:
        """Who is out since this move counts as watching until the page sends its heartbeat."""
        for number in set(self.rules.in_play(before)) - set(self.rules.in_play(after)):
            seat = self.seats[number]
            if not seat.held:
                seat.seen_at = now
                if seat not in self.changed:
                    self.changed.append(seat)

    def save(self, *, seq: int) -> None:
        """Advance the game to `seq`, under an optimistic lock on the `seq` that was read.

        SomeoneWasFaster if it has moved on. Other rows are written after this one only, so that two
        writers never wait for each other.
        """
        game = self.game
        old, game.seq = game.seq, seq
        if self.changed:
            game.seats_seq = seq
        # Presence and the scheduler write the other columns without counting: those are kept.
        written = {name: getattr(game, name) for name in (*_WRITTEN, *self.fields)}
        if not Game.objects.filter(pk=game.pk, seq=old).update(**written):
            raise event_log.SomeoneWasFaster
        if self.changed:
            Seat.objects.bulk_update(self.changed, _SEAT_FIELDS)
        transaction.on_commit(partial(row_cache.keep, game), robust=True)
        if "due_at" in written:
            alarm.set_on_commit(game.code, game.due_at)
        if not self.silent:
            announce.game_changed(game.code, seq)


_WRITTEN = (
    "seq turn_seq deal_seq sealed_seq seats_seq status started_at finished_at pack_at".split()
)
_DEADLINES = "opens_at turn_ends_at silence_ends_at due_at bots_due skipping".split()
_SEAT_FIELDS = "missed asleep gone skips seen_at place live".split()
