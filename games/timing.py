"""The time of a turn: when a question runs out, and when the clock must look before that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from games.models import Game, Seat
from games.rules import rules_of

# When only bots are left to confirm, the result of a round is shown no longer than this.
BOTS_LOOK_SECONDS = 3

# The animation of a reveal, in ms: what is before the first die and after the last one, the usual
# time from one die to the next, and the most that all of it may take.
_AROUND_THE_DICE_MS, _A_DIE_MS, _MOST_REVEAL_MS = 2_300, 130, 6_000


def set_clock(game: Game, seats: Sequence[Seat], state: Any, *, now: datetime) -> None:
    """Write the times of the question now on the table into `game`, without saving it.

    `opens_at`: before it the seat to speak may not cut off a calza. `turn_ends_at`: what people
    are shown; None is no clock. `due_at`: when the clock looks at the game, for a bot out of turn
    before the turn ends; None is never.
    """
    rules = rules_of(game.rules)
    game.opens_at = None
    match rules.phase(state):
        case "over":
            game.turn_ends_at = game.due_at = None
        case _ if game.skipping:
            game.turn_ends_at = game.due_at = now
        case "claims":
            game.turn_ends_at = game.due_at = now + _ms(settings.CLAIM_WINDOW_MS)
        case "reveal":
            seconds = settings.REVEAL_SECONDS
            if not people(game, seats, state):
                seconds = min(seconds, BOTS_LOOK_SECONDS)
            finished: Any = rules.finished_round(state)
            shown = _ms(animation(finished.count).lasts_ms)
            game.turn_ends_at = game.due_at = now + shown + timedelta(seconds=seconds)
        case _:
            speaker, *others = rules.to_act(state)
            opens = now
            if others:
                game.opens_at = opens = now + _ms(settings.CALZA_DELAY_MS)
            game.turn_ends_at = game.due_at = _end_of_turn(game, seats[speaker], opens, now=now)
            if any(seats[number].bot for number in others):
                game.due_at = now + _ms(settings.CALZA_DELAY_MS) / 2  # they may interrupt


@dataclass(frozen=True, slots=True)
class Animation:
    """How long a reveal moves, in ms: the whole of it, and from one counted die to the next."""

    lasts_ms: int
    die_ms: int


def animation(counted: int) -> Animation:
    """The animation of a reveal in which `counted` dice light up one after the other.

    The only source of its times: the server waits for its end and the page plays it at this pace.
    """
    steps = counted + 1  # the verdict follows the last die
    die = min(_A_DIE_MS, (_MOST_REVEAL_MS - _AROUND_THE_DICE_MS) // steps)
    return Animation(lasts_ms=_AROUND_THE_DICE_MS + steps * die, die_ms=die)


def people(game: Game, seats: Sequence[Seat], state: Any) -> list[int]:
    """The seats the game waits for that a person holds."""
    return [number for number in rules_of(game.rules).to_act(state) if not seats[number].held]


def _end_of_turn(game: Game, speaker: Seat, opens: datetime, *, now: datetime) -> datetime | None:
    if speaker.held:
        return max(now + timedelta(seconds=settings.BOT_SECONDS), opens)
    if game.turn_seconds is None:
        return None
    return opens + timedelta(seconds=game.turn_seconds)


def _ms(milliseconds: float) -> timedelta:
    return timedelta(milliseconds=milliseconds)
