"""Moves made without a person: by bots, for people who timed out or left, when a window closes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.contract import catalogue
from games.core.characters import Bot
from games.core.contract import Chance
from games.models import Game, Seat
from games.play import deadlines
from games.store import event_log

# Turns in a row that a person may miss before a bot takes the seat.
MISSED_TURNS = 2

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """The moves to play now, decided before the transaction opens."""

    moves: list[tuple[int, object]] = field(repr=False)
    automatic: bool = True  # False: a bot interrupts of its own accord
    on_turn: int | None = None  # whose time is up


def decide(
    game: Game, seats: Sequence[Seat], state: Any, *, skipping: bool, now: datetime, chance: Chance
) -> Decision | None:
    """Decide what to play in a due game with the public state `state`; changes nothing.

    Returns None if no bot interrupts and the turn or window has time left. A bot receives only what
    its seat knows.
    """
    kind = catalogue.of(game.kind_key)
    waiting = kind.rules.waiting(state)
    assert waiting is not None  # noqa: S101
    ends = deadlines.end_of_wait(game)
    if skipping or game.due_at != ends:
        if kind.pace.ask_bots_ms(state) is not None:
            call = interruption(game, seats, waiting.may_interrupt, chance=chance)
            if call:
                return Decision([call], automatic=False)
        has_time = ends is None or ends > now
        if has_time and not deadlines.may_close(game, seats, state, waiting, now=now):
            return None
    if waiting.kind != "turn" or waiting.on_turn is None:
        return Decision(kind.rules.due_moves(state))
    move = turn(game, seats, waiting.on_turn, chance=chance)
    return Decision([(waiting.on_turn, move)], on_turn=waiting.on_turn)


def turn(game: Game, seats: Sequence[Seat], on_turn: int, *, chance: Chance) -> object:
    """Return the move of a seat whose time is up: its bot's, its stand-in's or a timeout.

    An illegal choice by a bot is treated as a timeout, so that the game can continue. At a table
    without a time limit, the stand-in already plays the turn in which the longest silence ended.
    """
    kind, seat = catalogue.of(game.kind_key), seats[on_turn]
    known = event_log.seat_view(game, seat.number)
    is_replaced = (seat.asleep or game.turn_seconds is None) and not seat.gone
    bot = seat.bot or (kind.stand_in if is_replaced else "")
    if bot:
        chosen = _bot(kind, bot, seats)(known, seat.number, chance)
        if chosen in kind.rules.legal_moves(known, seat.number):
            return chosen
        logger.error("bot chose no legal move bot=%s game=%s", bot, game.code)
    return kind.rules.timeout_move(known, seat.number)


def missed_turn(game: Game, seat: Seat) -> dict[str, object]:
    """Return the new columns of a person's seat that missed its turn.

    A bot takes the seat after MISSED_TURNS in a row. At a table without a time limit one is enough,
    because the others have waited for a day.
    """
    missed = seat.missed + 1
    return {"missed": missed, "asleep": missed >= MISSED_TURNS or game.turn_seconds is None}


def interruption(
    game: Game, seats: Sequence[Seat], may_interrupt: Iterable[int], *, chance: Chance
) -> tuple[int, object] | None:
    """Return the seat and the call of the first bot that wants to interrupt, or None."""
    bots = [number for number in may_interrupt if seats[number].bot]
    if not bots:
        return None
    kind = catalogue.of(game.kind_key)
    for number, own in event_log.own_of(game, bots).items():
        known = event_log.with_state(game, own).state
        call = _bot(kind, seats[number].bot, seats)(known, number, chance)
        if call and call in kind.rules.legal_moves(known, number):
            return number, call
    return None


def _bot(kind: catalogue.GameKind, key: str, seats: Sequence[Seat]) -> Bot:
    """Return the bot for the key that a seat of this table names: a ladder bot or a character."""
    if character := kind.characters.get(key):
        return character.bot
    named = {seat.bot for seat in seats if seat.bot}
    ladder = {kind.characters[each].base if each in kind.characters else each for each in named}
    return (kind.mixed_bots if len(ladder) > 1 else kind.bots)[key]
