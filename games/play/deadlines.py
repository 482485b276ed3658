"""Deadlines: when the time to act runs out, and when the scheduler looks at a game before that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from games.contract import catalogue
from games.core.contract import Waiting
from games.models import Game, Seat
from games.play import bot_think_time, tempo
from games.store.event_log import PublicView

# The longest time to show the result of a round that only bots have to acknowledge.
BOTS_LOOK_SECONDS = 3
# The least time people have after a downtime (or their whole time, if that is shorter). Their pages
# reconnect within a few seconds; a person who had hardly any time left must then read the state of
# the game, decide and click.
LEAST_AFTER_DOWNTIME: Final = timedelta(seconds=15)


def set_deadlines(
    game: Game, seats: Sequence[Seat], known: PublicView, waiting: Waiting | None, *, now: datetime
) -> None:
    """Set the deadlines in `game` for what it waits for now, without saving it.

    `known` is what everybody knows. No bot moves and no time runs while the page still shows what
    has just happened.

    `opens_at`: until then the seat on turn may not cut off seats that may interrupt.
    `turn_ends_at`: the deadline that people see; None: no time limit, and a bot plays for the
    silent person at `silence_ends_at`. `due_at`: when the scheduler looks at the game, earlier if a
    bot may interrupt; None: the game is over. `bots_due`: a bot then moves or is asked, and no
    person's time is up.
    """
    game.opens_at = game.silence_ends_at = None
    game.bots_due = False
    if waiting is None:
        game.turn_ends_at = game.due_at = None
        return
    if game.skipping:
        game.turn_ends_at = game.due_at = now
        return
    pace, state = catalogue.of(game.kind_key).pace, known.state
    played = [seat.number for seat in seats if not seat.held]
    shown = now + _ms(pace.bots_wait_ms(known.since, played, now=now))
    match waiting.kind:
        case "window":
            game.turn_ends_at = shown + _ms(pace.window_ms(state))
        case "reveal":
            seconds = settings.REVEAL_SECONDS * tempo.of(game).reveal
            if not people(seats, waiting):
                seconds = min(seconds, BOTS_LOOK_SECONDS)
            seen = now + _ms(pace.reveal_ms(state)) + timedelta(seconds=seconds)
            game.turn_ends_at = max(seen, shown)
        case "turn":
            opens = now
            if waiting.may_interrupt:
                game.opens_at = opens = now + _ms(pace.hold_ms(state))
            game.turn_ends_at = _end_of_turn(game, seats, waiting, opens, shown, now=now)
            if game.turn_ends_at is None:
                game.silence_ends_at = opens + timedelta(hours=settings.SILENCE_HOURS)
    asked = _until_bots_are_asked(game, seats, state, waiting)
    game.due_at = end_of_wait(game) if asked is None else shown + asked
    game.bots_due = asked is not None or ends_for_bots(seats, waiting)


def give_back(
    game: Game,
    before: Game,
    seats: Sequence[Seat],
    waiting: Waiting,
    *,
    lost: timedelta,
    now: datetime,
) -> bool:
    """Shorten the deadlines of `game`, just set anew, to what people had left in `before`.

    The result is the deadline of `before` plus `lost` (negative: the system clock was put back),
    with at least LEAST_AFTER_DOWNTIME and at most the whole time. Bots and windows get nothing
    back, except that their time starts again if the clock was put back, as they would otherwise
    wait until it has caught up. Returns whether any deadline differs from `before`.
    """
    assert game.due_at is not None  # noqa: S101
    if waiting.kind == "window" or not people(seats, waiting):
        return before.due_at is not None and game.due_at < before.due_at
    least = now + LEAST_AFTER_DOWNTIME
    game.opens_at = _given_back(game.opens_at, before.opens_at, lost, least=now)
    game.turn_ends_at = _given_back(game.turn_ends_at, before.turn_ends_at, lost, least=least)
    game.silence_ends_at = _given_back(
        game.silence_ends_at, before.silence_ends_at, lost, least=least
    )
    game.due_at = min(game.due_at, end_of_wait(game) or game.due_at)
    return True


def _given_back(
    whole: datetime | None, before: datetime | None, lost: timedelta, *, least: datetime
) -> datetime | None:
    if whole is None or before is None:
        return whole
    return min(whole, max(before + lost, least))


def ends_for_bots(seats: Sequence[Seat], waiting: Waiting) -> bool:
    """Whether the end of the wait concerns bots only, and no person's time is up then."""
    if waiting.kind == "turn":
        return waiting.on_turn is not None and seats[waiting.on_turn].held
    return not people(seats, waiting)


def end_of_wait(game: Game) -> datetime | None:
    """Return when the game's wait ends, shown to people or not; None: it waits for nothing."""
    return game.turn_ends_at or game.silence_ends_at


def turn_seconds(kind_key: str, seats: int, *, tempo_key: str = tempo.NORMAL) -> int:
    """Return the default seconds per turn at a table of this many seats."""
    proposed = catalogue.of(kind_key).pace.turn_seconds(seats)
    most: int = settings.TURN_SECONDS
    usual = most if proposed is None else min(proposed, most)
    return max(1, round(usual * tempo.TEMPOS[tempo_key].turn))


def _until_bots_are_asked(
    game: Game, seats: Sequence[Seat], state: Any, waiting: Waiting
) -> timedelta | None:
    """Return how long bots that may interrupt take to decide; None: none is asked.

    In a window that no person can use, they take no longer than for a turn. The time depends only
    on public knowledge, not on the bots' hands or decisions.
    """
    milliseconds = catalogue.of(game.kind_key).pace.ask_bots_ms(state)
    if milliseconds is None:
        return None
    asked = _ms(milliseconds)
    if waiting.kind == "window" and not people(seats, waiting):
        return min(
            asked, timedelta(seconds=bot_think_time.usual_seconds(game.kind_key, len(seats)))
        )
    return asked if any(seats[number].bot for number in waiting.may_interrupt) else None


def may_close(
    game: Game, seats: Sequence[Seat], state: Any, waiting: Waiting, *, now: datetime
) -> bool:
    """Whether a window may close early: no person can use it, and its bots were asked.

    A window in which the game never asks bots lasts its whole time.
    """
    if waiting.kind != "window" or people(seats, waiting):
        return False
    if catalogue.of(game.kind_key).pace.ask_bots_ms(state) is None:
        return False
    return game.due_at is None or game.due_at <= now or game.due_at == game.turn_ends_at


def people(seats: Sequence[Seat], waiting: Waiting) -> list[int]:
    """Return the seats that may act and are played by a person."""
    return [number for number in waiting.seats if not seats[number].held]


def _end_of_turn(
    game: Game,
    seats: Sequence[Seat],
    waiting: Waiting,
    opens: datetime,
    shown: datetime,
    *,
    now: datetime,
) -> datetime | None:
    """Return when the time of the seat on turn is up; None: there is no time limit.

    `shown`: how long the page shows what has just happened (see `set_deadlines`).
    """
    assert waiting.on_turn is not None  # noqa: S101
    if seats[waiting.on_turn].held:
        usual = bot_think_time.usual_seconds(game.kind_key, len(seats))
        thinking = timedelta(
            seconds=bot_think_time.seconds(game, usual, seats[waiting.on_turn].bot)
        )
        return max(now + thinking, opens, shown)
    if game.turn_seconds is None:
        return None
    return max(opens, shown) + timedelta(seconds=game.turn_seconds)


def _ms(milliseconds: float) -> timedelta:
    return timedelta(milliseconds=milliseconds)
