"""One step of a running game: judged, recorded and claimed in one transaction, or never there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from games import archive, log, push, recent, results, timing
from games.core.contract import Chance, IllegalMove, Sealed, fold
from games.models import Game, Round, Seat
from games.refusal import Refused
from games.rules import rules_of
from games.rules.contract import Fact

# How often a move that lost a race for a log number is judged again on the new state.
_TRIES = 5

Moves = Iterable[tuple[int, Any]]


@dataclass(slots=True)
class Table:
    """A running game with its seats, read in this transaction or remembered by this process.

    What is remembered may be old; `claim` finds that out before anything is changed.
    """

    game: Game
    seats: list[Seat]
    changed: list[Seat] = field(default_factory=list)  # saved once the game's row is claimed
    timed: bool = False  # its times are others, to be saved with it
    # Of the facts that follow, the places of those that tell of a move made for a person.
    automatic: set[int] = field(default_factory=set)
    silent: bool = False  # a move that no screen is told of

    @property
    def rules(self) -> Any:
        return rules_of(self.game.rules)

    def time(self, state: Any, *, now: datetime) -> None:
        timing.set_clock(self.game, self.seats, state, now=now)
        self.timed = True


def take(code: str, judge: Callable[[Table], None], *, remembered: Game | None = None) -> int:
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


def play(
    table: Table,
    state: Any,
    moves: Moves,
    *,
    now: datetime,
    chance: Chance,
    automatic: bool = False,
) -> None:
    """Let the rules decide the moves one after the other, then record what follows.

    `automatic`: these are not moves that people made, but the clock or a bot.
    """
    game, rules = table.game, table.rules
    after, facts = _decided(table, state, moves, chance=chance, automatic=automatic)
    still_up = rules.phase(state) == rules.phase(after) == "reveal"
    if still_up and not timing.people(game, table.seats, after):  # the house need not look longer
        due = rules.due_moves(after)
        after, facts = _decided(table, after, due, chance=chance, automatic=True, facts=facts)
    record(table, state, after, facts, now=now)


@sensitive_variables()
def _decided(
    table: Table,
    state: Any,
    moves: Moves,
    *,
    chance: Chance,
    automatic: bool,
    facts: Sequence[Fact] = (),
) -> tuple[Any, list[Fact]]:
    """The state after these moves and the facts that lead there; raises IllegalMove.

    `facts` led to `state` and come first. The first fact of a move made for a person is marked.

    Hidden dice are read when a move cannot be judged without them, as when the cups go up, and
    for no other. A move that asks for them in vain has drawn no chance yet.
    """
    facts = list(facts)
    for number, move in moves:
        # A claim is the person's own, though it is the clock that settles it.
        if automatic and table.seats[number].user_id and table.rules.phase(state) != "claims":
            table.automatic.add(len(facts))
        try:
            new = table.rules.decide(state, number, move, chance)
        except Sealed:
            state = fold(table.rules, facts, log.unsealed(table.game))
            new = table.rules.decide(state, number, move, chance)
        state = fold(table.rules, new, state)
        facts += new
    return state, facts


def record(table: Table, before: Any, after: Any, facts: list[Fact], *, now: datetime) -> None:
    """Write the facts and all that follows from them, or nothing when someone was faster."""
    game, rules = table.game, table.rules
    first = game.seq + 1
    last = log.append(game, facts, at=now, automatic=table.automatic)
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
        table.silent = False
        for place, number in enumerate(ended.ranking, start=1):
            table.seats[number].place, table.seats[number].live = place, False
        table.changed = table.seats
        push.lobby_changed()
    if before is not None:
        _sign_for_those_out(table, before, after, now=now)
    if before is None or _asks_anew(table, before, after, facts):
        table.time(after, now=now)
    claim(table, seq=last)
    finished = rules.finished_round(after)
    if finished is not None and (before is None or rules.finished_round(before) is None):
        _write_round(table, finished, seq=first)
    if ended is not None:
        results.write(game, table.seats)


def _sign_for_those_out(table: Table, before: Any, after: Any, *, now: datetime) -> None:
    """A player who has just lost the last die watches: the page signs with its next heartbeat."""
    for number in set(table.rules.in_play(before)) - set(table.rules.in_play(after)):
        seat = table.seats[number]
        if not seat.held:
            seat.seen_at = now
            if seat not in table.changed:
                table.changed.append(seat)


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
    "seq turn_seq deal_seq sealed_seq seats_seq "
    "status started_at watched_at finished_at pack_at".split()
)
_TIMES = "opens_at turn_ends_at due_at skipping".split()
_OF_SEATS = "missed asleep gone skips seen_at place live".split()


def claim(table: Table, *, seq: int) -> None:
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
        Seat.objects.bulk_update(table.changed, _OF_SEATS)
    transaction.on_commit(partial(recent.keep, game), robust=True)
    if not table.silent:
        push.moved(game.code, seq)
