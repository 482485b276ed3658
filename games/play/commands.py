"""Commands on a running game; people, bots and the scheduler all use these."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.views.decorators.debug import sensitive_variables

from games import catalogue
from games.core.chance import SystemChance
from games.core.contract import Chance, Fact
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
from games.store import event_log, row_cache
from games.store.event_log import PublicView

# The facts up to the first deal of a game, and the moves that follow on them at once.
Beginning = tuple[Sequence[Fact], Sequence[tuple[int, Any]]]

# --- people --------------------------------------------------------------------------------------


@move_log.logged
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
    """Play `move` for the person at seat `number`, whose screen showed `seen` (None: any).

    Returns the game's new `seq`. Raises IllegalMove with the reason of the rules, or Refused:
    `not_playing`, `stale`, `already_left`, `paused`, `too_soon`, `someone_faster`; then nothing is
    changed.
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
            transaction.play(tx, known, moves, now=now, chance=chance or SystemChance())
    return tx.game.seq


def come_back(code: str, number: int, *, now: datetime) -> None:
    """Give the person at this seat the seat back from the bot that played for them.

    Refused: `not_playing`, `already_left`, `paused`, `someone_faster`.
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
    """Note that the person at this seat, who is out, wants the bots to play on without pauses.

    They do as soon as everybody who is out and still watches wants it (see `skip`).

    Refused: `not_playing`, `already_left`, `paused`, `people_play`, `someone_faster`.
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
    """Note that the person at this seat, whom all others have left, plays on against the bots.

    Refused: `not_playing`, `already_left`, `paused`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            if _seat_in_progress(tx, number).plays_on:
                return
            tx.change_seat(number, plays_on=True)
            tx.change(watched_at=now)
            tx.save(seq=tx.game.seq + 1)


def _seat_in_progress(tx: GameDraft, number: int) -> Seat:
    """The seat of a person who plays or watches.

    Refused: `not_playing`, `already_left`, `paused`.
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
    """The person acts: no turn counts as missed, and no bot plays for them."""
    if seat.missed or seat.asleep:
        tx.change_seat(seat.number, missed=0, asleep=False)


def _everybody_leaves(tx: GameDraft, state: Any) -> list[tuple[int, Any]]:
    """The moves that end an abandoned game."""
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
    chance: Chance,
    won_before: Sequence[int] = (),
    beginning: Beginning | None = None,
) -> None:
    """Deal the first round, in the transaction of the caller, who has locked the game.

    `won_before`: in a rematch the seats that won the game before. One of them is drawn to start;
    not every game lets it. `beginning`: what the game begins with instead.
    """
    tx = GameDraft(game, seats)
    tx.change(status=game.status, started_at=game.started_at, watched_at=now)
    tx.change(holder=game.holder, solo=game.solo)
    options = tx.rules.read_options(game.options)
    starter = chance.pick(won_before) if won_before else None
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

    What to play is decided before the transaction opens, so that a bot that thinks holds no lock.
    If the game moves on meanwhile, it is decided again. `row`: the game as just read. False when
    nothing is due, or no longer: somebody else was faster.
    """
    luck = chance or SystemChance()
    for attempt in attempts(code, cached=row):
        game, seats = attempt.read()
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
            game, seats, known.state, skipping=skipping, now=now, chance=luck
        )
        if decision is None:
            _postpone(game, seats, known.state)
            return True
        with attempt as tx:
            tx.silent = game.skipping  # screens are shown the end only
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
    """Let a paused game go on: what it waits for begins again."""
    tx.change(paused_at=None)
    tx.set_deadlines(known, tx.rules.waiting(known.state), now=now)
    tx.save(seq=tx.game.seq + 1)


def give_back(code: str, *, lost: timedelta, now: datetime, overlooked: bool = False) -> None:
    """Give the people a game waits for the time back that a downtime took (`deadlines.give_back`).

    An `overlooked` game, which has no deadline, gets one whatever it waits for.
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


def set_aside(code: str, *, now: datetime, until: datetime) -> None:
    """Make the scheduler pass over a game in which something failed, unless it has moved on."""
    failed = Game.objects.filter(Q(due_at__lte=now) | Q(due_at=None), code=code)
    failed.filter(status__in=(Game.Status.OPEN, Game.Status.PLAYING)).update(due_at=until)


def _postpone(game: Game, seats: Sequence[Seat], state: Any) -> None:
    """No bot interrupts: look again when the time is up, unless the game has moved on."""
    ends = deadlines.end_of_wait(game)
    waiting = catalogue.of(game.kind_key).rules.waiting(state)
    for_bots = waiting is not None and deadlines.ends_for_bots(seats, waiting)
    Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=ends, bots_due=for_bots)
    alarm.set_on_commit(game.code, ends)
