"""Commands on a running game; people, bots and the scheduler all use these."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta

from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SystemChance
from games.core.contract import Chance, Draw, Fact
from games.core.moves import Leave
from games.errors import Refused
from games.models import Game, Seat
from games.play import (
    abandoned,
    alarm,
    autoplay,
    deadlines,
    move_log,
    pausing,
    quotas,
    skip,
    transaction,
)
from games.play.draft import GameDraft
from games.play.transaction import attempts
from games.store import event_log, proofs, row_cache
from games.store.event_log import PublicView
from games.store.proofs import TableChance

# The facts up to the first deal of a game, and the moves that are played immediately after them.
Beginning = tuple[Sequence[Fact], Sequence[tuple[int, object]]]

# --- people --------------------------------------------------------------------------------------


@move_log.logged
@sensitive_variables()
def move(
    code: str,
    number: int,
    move: object,
    *,
    seen: int | None,
    now: datetime,
    chance: Chance | None = None,
) -> int:
    """Play `move` for the person at seat `number`, whose screen showed `seen` (None: any).

    Returns the game's new `seq`. Raises, without changing anything, IllegalMove with the reason
    from the rules, or Refused: `not_playing`, `stale`, `already_left`, `paused`, `too_soon`,
    `someone_faster`.
    """
    for attempt in attempts(code, cached=row_cache.cached_game(code)):
        with attempt as tx:
            game = tx.game
            if game.status != Game.Status.PLAYING:
                raise Refused("not_playing")
            if seen is not None and not game.turn_seq <= seen <= game.seq:
                raise Refused("stale")
            seat = tx.seats[number]
            if seat.gone:
                raise Refused("already_left")
            if game.paused_at is not None and move != Leave():
                raise Refused("paused")
            known = event_log.known(game)
            hurried = game.opens_at is not None and now < game.opens_at
            if hurried and tx.rules.cuts_off(known.state, number, move):
                raise Refused("too_soon")
            tx.change(watched_at=now)
            _mark_present(tx, seat)
            moves = [(number, move)]
            if move == Leave():
                tx.change_seat(number, gone=True)
                if abandoned.all_left(tx.seats):
                    moves += _everybody_leaves(tx, known.state)
            transaction.play(tx, known, moves, now=now, chance=chance or TableChance(game))
    return tx.game.seq


def come_back(code: str, number: int, *, now: datetime) -> None:
    """Return a seat to its person, for whom a bot has been playing.

    Raises Refused: `not_playing`, `already_left`, `paused`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            seat = _seat_in_progress(tx, number)
            known = event_log.known(tx.game)
            if not seat.asleep or number not in tx.rules.in_play(known.state):
                return  # a bot has played the game to its end for a person who is out
            _mark_present(tx, seat)
            tx.change(watched_at=now)
            waiting = tx.rules.waiting(known.state)
            if waiting and waiting.kind == "turn" and waiting.on_turn == number:
                tx.set_deadlines(known, waiting, now=now)
            tx.save(seq=tx.game.seq + 1)


def skip_to_the_end(code: str, number: int, *, now: datetime) -> None:
    """Record the vote of a person who is out to let the bots play on without pauses.

    The skipping starts when everybody who is out and still watches has voted for it (see `skip`).

    Raises Refused: `not_playing`, `already_left`, `paused`, `people_play`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            game, seat = tx.game, _seat_in_progress(tx, number)
            known = event_log.known(game)
            if not skip.only_bots_play(game, tx.seats, known.state):
                raise Refused("people_play")
            if seat.skips:
                return
            tx.change_seat(number, skips=True, seen_at=now)
            if skip.is_agreed(game, tx.seats, known.state, now=now):
                tx.change(skipping=True)
                tx.set_deadlines(known, tx.rules.waiting(known.state), now=now)
            tx.save(seq=game.seq + 1)


def play_on(code: str, number: int, *, now: datetime) -> None:
    """Record that a person whom all other people have left plays on against the bots.

    Raises Refused: `not_playing`, `already_left`, `paused`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            if _seat_in_progress(tx, number).plays_on:
                return
            tx.change_seat(number, plays_on=True)
            tx.change(watched_at=now)
            tx.save(seq=tx.game.seq + 1)


def give_seat(code: str, old: User, new: User) -> bool:
    """Transfer a seat of a running game to another account of the same person.

    Returns False if `old` has no seat there, or `new` already has one.
    """
    for attempt in attempts(code):
        with attempt as tx:
            seats = {seat.user_id: seat.number for seat in tx.seats}
            if tx.game.status != Game.Status.PLAYING or old.pk not in seats or new.pk in seats:
                return False
            tx.change_seat(seats[old.pk], user=new)
            if tx.game.host_id == old.pk:
                tx.change(host_id=new.pk)
            tx.save(seq=tx.game.seq + 1)
    return True


def _seat_in_progress(tx: GameDraft, number: int) -> Seat:
    """Return the seat of a person who has not left the running game.

    Raises Refused: `not_playing`, `already_left`, `paused`.
    """
    if tx.game.status != Game.Status.PLAYING:
        raise Refused("not_playing")
    seat = tx.seats[number]
    if seat.gone:
        raise Refused("already_left")
    if tx.game.paused_at is not None:
        raise Refused("paused")
    return seat


def _mark_present(tx: GameDraft, seat: Seat) -> None:
    """Clear the missed turns of a person who acts, and end the bot's play for them."""
    if seat.missed or seat.asleep:
        tx.change_seat(seat.number, missed=0, asleep=False)


def _everybody_leaves(tx: GameDraft, state: object) -> list[tuple[int, object]]:
    """Mark the leaving seats as gone, and return the moves that end an abandoned game."""
    leaving = abandoned.departures(tx.game, tx.seats, state)
    for number, _ in leaving:
        tx.change_seat(number, gone=True)
    return leaving


# --- the server ----------------------------------------------------------------------------------


@sensitive_variables()
def begin(
    game: Game,
    seats: list[Seat],
    *,
    now: datetime,
    chance: Chance | None = None,
    won_before: Sequence[int] = (),
    beginning: Beginning | None = None,
) -> None:
    """Deal the first round, in the transaction of the caller, who has locked the game.

    `won_before`: in a rematch, the seats that won the previous game; one of them is drawn to start,
    in games that allow it. `beginning`: facts and moves to begin with instead of a new deal.
    `chance`: what is drawn from instead of the table's proof, which is dropped then; otherwise the
    root of the proof is fixed.
    """
    tx = GameDraft(game, seats)
    tx.change(status=game.status, started_at=game.started_at, watched_at=now)
    tx.change(holder=game.holder, solo=game.solo)
    options = tx.rules.read_options(game.options)
    if chance is None:
        chance = proofs.unlock(game, seats)
    else:
        proofs.drop(game)
    starter = chance.pick(won_before, Draw(0, "rematch")) if won_before else None
    facts, moves = beginning or (
        tx.rules.start(len(seats), options, chance, starter=starter),
        (),
    )
    transaction.start(tx, facts, moves, now=now, chance=chance)


@sensitive_variables()
def play_due(
    code: str, *, now: datetime, chance: Chance | None = None, row: Game | None = None
) -> bool:
    """Play what is due in a game: a bot's move, a timeout, the end of a window or of a reveal.

    The move is decided before the transaction opens, so that no lock is held while a bot thinks. If
    the game changes in the meantime, the decision is repeated. `row`: the game as just read.
    Returns False when nothing is due (any more), because another writer was faster.
    """
    for attempt in attempts(code, cached=row):
        game, seats = attempt.read()
        luck = chance or TableChance(game)
        if game.status != Game.Status.PLAYING or game.due_at is None or game.due_at > now:
            return False
        known = event_log.known(game)
        if abandoned.is_abandoned(game, seats, known.state, now=now):
            with attempt as tx:
                leaving = _everybody_leaves(tx, known.state)
                transaction.play(tx, known, leaving, now=now, chance=luck, automatic=True)
            continue
        if game.paused_at is not None:
            if not quotas.has_room(bots=True):
                pausing.wait(game, now=now)
                return True
            with attempt as tx:
                _resume(tx, known, now=now)
            continue
        skipping = game.skipping or skip.is_agreed(game, seats, known.state, now=now)
        decision = autoplay.decide(
            game, seats, known.state, skipping=skipping, now=now, chance=chance or SystemChance()
        )
        if decision is None:
            _postpone(game, seats, known.state)
            return True
        with attempt as tx:
            tx.silent = game.skipping  # screens are only shown the end
            if skipping:
                tx.change(skipping=True)
            late = decision.on_turn
            if late is not None and not seats[late].held:
                tx.change_seat(late, **autoplay.missed_turn(game, seats[late]))
            transaction.play(
                tx, known, decision.moves, now=now, chance=luck, automatic=decision.automatic
            )
    return True


def _resume(tx: GameDraft, known: PublicView, *, now: datetime) -> None:
    """Resume a paused game with new deadlines for what it waits for."""
    tx.change(paused_at=None)
    tx.set_deadlines(known, tx.rules.waiting(known.state), now=now)
    tx.save(seq=tx.game.seq + 1)


def give_back(code: str, *, lost: timedelta, now: datetime, overlooked: bool = False) -> None:
    """Extend the deadlines of the people a game waits for by a downtime (`deadlines.give_back`).

    An `overlooked` game has no deadline and gets one, whatever it waits for.
    """
    for attempt in attempts(code):
        with attempt as tx:
            game, before = tx.game, copy(tx.game)
            if game.status != Game.Status.PLAYING or game.paused_at is not None:
                return
            known = event_log.known(game)
            waiting = tx.rules.waiting(known.state)
            if waiting is None:
                return
            tx.set_deadlines(known, waiting, now=now)
            if (
                deadlines.give_back(game, before, tx.seats, waiting, lost=lost, now=now)
                or overlooked
            ):
                tx.save(seq=game.seq + 1)


def set_aside(code: str, *, now: datetime, until: datetime, failed: bool = False) -> None:
    """Postpone a game to `until`, unless it has moved on; `failed`: an error of its own is why."""
    values: dict[str, object] = {"due_at": until}
    if failed:
        values["failing_since"] = Coalesce("failing_since", Value(now))
    still = Game.objects.filter(Q(due_at__lte=now) | Q(due_at=None), code=code)
    still.filter(status__in=(Game.Status.OPEN, Game.Status.PLAYING)).update(**values)


def _postpone(game: Game, seats: Sequence[Seat], state: object) -> None:
    """Make a game due at the end of its wait, as no bot interrupts, unless it has moved on."""
    ends = deadlines.end_of_wait(game)
    waiting = catalogue.of(game.kind_key).rules.waiting(state)
    for_bots = waiting is not None and deadlines.ends_for_bots(seats, waiting)
    Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=ends, bots_due=for_bots)
    alarm.set_on_commit(game.code, ends)
