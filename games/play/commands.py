"""Commands on a running game; people, bots and the scheduler all use these."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.views.decorators.debug import sensitive_variables

from games import catalogue
from games.core.chance import SystemChance
from games.core.contract import Chance
from games.errors import Refused
from games.models import Game, Seat
from games.play import abandoned, alarm, autoplay, deadlines, move_log, pausing, quotas, skip
from games.play.transaction import GameTransaction, attempts
from games.store import event_log, row_cache

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
            if game.paused_at is not None and move != tx.rules.leave_move():
                raise Refused("paused")
            known = event_log.known(game)
            hurried = game.opens_at is not None and now < game.opens_at
            if hurried and tx.rules.cuts_off(known.state, number, move):
                raise Refused("too_soon")
            tx.watched(now=now)
            _mark_present(tx, seat)
            moves = [(number, move)]
            if move == tx.rules.leave_move():
                seat.gone = True
                tx.changed.append(seat)
                if abandoned.all_left(tx.seats):
                    moves += abandoned.departures(game, tx.seats, known.state)
            tx.play(known, moves, now=now, chance=chance or SystemChance())
    return tx.game.seq


def come_back(code: str, number: int, *, now: datetime) -> None:
    """Give the person at this seat the seat back from the bot that played for them.

    Refused: `not_playing`, `already_left`, `paused`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            seat = _seat_in_progress(tx, number)
            state = event_log.public_state(tx.game)
            if not seat.asleep or number not in tx.rules.in_play(state):
                return  # a bot has played the game to its end for a person who is out
            _mark_present(tx, seat)
            tx.watched(now=now)
            waiting = tx.rules.waiting(state)
            if waiting and waiting.kind == "turn" and waiting.on_turn == number:
                tx.set_deadlines(state, waiting, now=now)
            tx.save(seq=tx.game.seq + 1)


def skip_to_the_end(code: str, number: int, *, now: datetime) -> None:
    """Note that the person at this seat, who is out, wants the bots to play on without pauses.

    They do as soon as everybody who is out and still watches wants it (see `skip`).

    Refused: `not_playing`, `already_left`, `paused`, `people_play`, `someone_faster`.
    """
    for attempt in attempts(code):
        with attempt as tx:
            game, seat = tx.game, _seat_in_progress(tx, number)
            state = event_log.public_state(game)
            if not skip.only_bots_play(game, tx.seats, state):
                raise Refused("people_play")
            if seat.skips:
                return
            seat.skips, seat.seen_at = True, now
            tx.changed.append(seat)
            if skip.is_agreed(game, tx.seats, state, now=now):
                game.skipping = True
                tx.set_deadlines(state, tx.rules.waiting(state), now=now)
            tx.save(seq=game.seq + 1)


def _seat_in_progress(tx: GameTransaction, number: int) -> Seat:
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


def _mark_present(tx: GameTransaction, seat: Seat) -> None:
    """The person acts: no turn counts as missed, and no bot plays for them."""
    if seat.missed or seat.asleep:
        seat.missed, seat.asleep = 0, False
        tx.changed.append(seat)


# --- the server ----------------------------------------------------------------------------------


@sensitive_variables()
def begin(
    game: Game,
    seats: list[Seat],
    *,
    now: datetime,
    chance: Chance,
    won_before: Sequence[int] = (),
) -> None:
    """Deal the first round, in the transaction of the caller, who has locked the game.

    `won_before`: in a rematch the seats that won the game before. One of them is drawn to start;
    not every game lets it.
    """
    tx = GameTransaction(game, seats)
    tx.watched(now=now)
    tx.fields += ["holder", "solo"]
    options = tx.rules.read_options(game.options)
    starter = chance.pick(won_before) if won_before else None
    tx.start(tx.rules.start(len(seats), options, chance, starter=starter), now=now)


@sensitive_variables()
def play_due(
    code: str, *, now: datetime, chance: Chance | None = None, row: Game | None = None
) -> None:
    """Play what is due in a game: a bot's move, a timeout, the end of a window or of a reveal.

    What to play is decided before the transaction opens, so that a bot that thinks holds no lock.
    If the game moves on meanwhile, it is decided again. `row`: the game as just read.
    """
    luck = chance or SystemChance()
    for attempt in attempts(code, cached=row):
        game, seats = attempt.read()
        if game.status != Game.Status.PLAYING or game.due_at is None or game.due_at > now:
            return
        known = event_log.known(game)
        if abandoned.is_abandoned(game, seats, known.state, now=now):
            with attempt as tx:
                leaving = abandoned.departures(tx.game, tx.seats, known.state)
                tx.play(known, leaving, now=now, chance=luck, automatic=True)
            continue
        if game.paused_at is not None:
            if not quotas.has_room(bots=True):
                return pausing.wait(game, now=now)
            with attempt as tx:
                _resume(tx, known.state, now=now)
            continue
        skipping = game.skipping or skip.is_agreed(game, seats, known.state, now=now)
        decision = autoplay.decide(
            game, seats, known.state, skipping=skipping, now=now, chance=luck
        )
        if decision is None:
            return _postpone(game, seats, known.state)
        with attempt as tx:
            tx.silent = game.skipping  # screens are shown the end only
            tx.game.skipping = skipping
            if decision.on_turn is not None and not tx.seats[decision.on_turn].held:
                autoplay.miss_turn(tx.game, tx.seats[decision.on_turn])
                tx.changed.append(tx.seats[decision.on_turn])
            automatic = decision.automatic
            tx.play(known, decision.moves, now=now, chance=luck, automatic=automatic)


def _resume(tx: GameTransaction, state: Any, *, now: datetime) -> None:
    """Let a paused game go on: what it waits for begins again."""
    tx.game.paused_at = None
    tx.fields.append("paused_at")
    tx.set_deadlines(state, tx.rules.waiting(state), now=now)
    tx.save(seq=tx.game.seq + 1)


def grant_fresh_time(code: str, *, now: datetime, overlooked: bool = False) -> None:
    """Give the people a game waits for their whole time again, after a downtime.

    Bots and windows get none. But where the system clock was put back, they would wait until it has
    caught up, so their time starts again. An `overlooked` game, which has no deadline, gets one
    whatever it waits for.
    """
    for attempt in attempts(code):
        with attempt as tx:
            game = tx.game
            if game.status != Game.Status.PLAYING or game.paused_at is not None:
                return
            state, was_due = event_log.public_state(game), game.due_at
            waiting = tx.rules.waiting(state)
            tx.set_deadlines(state, waiting, now=now)
            for_people = (
                waiting and waiting.kind != "window" and deadlines.people(tx.seats, waiting)
            )
            was_later = game.due_at and was_due and game.due_at < was_due
            if for_people or was_later or overlooked:
                tx.save(seq=game.seq + 1)


def set_aside(code: str, *, now: datetime, until: datetime) -> None:
    """Make the scheduler pass over a game in which something failed, unless it has moved on."""
    failed = Game.objects.filter(Q(due_at__lte=now) | Q(due_at=None), code=code)
    failed.filter(status__in=(Game.Status.OPEN, Game.Status.PLAYING)).update(due_at=until)


def _postpone(game: Game, seats: Sequence[Seat], state: Any) -> None:
    """No bot interrupts: look again when the time is up, unless the game has moved on."""
    ends = deadlines.end_of_wait(game)
    waiting = catalogue.of(game.rules).rules.waiting(state)
    for_bots = waiting is not None and deadlines.ends_for_bots(seats, waiting)
    Game.objects.filter(pk=game.pk, seq=game.seq).update(due_at=ends, bots_due=for_bots)
    alarm.set_on_commit(game.code, ends)
