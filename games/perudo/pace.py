"""How long the pauses of Perudo last: for calza, for simultaneous claims, for the reveal."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.conf import settings

from games.contract.game_values import RecordedFact
from games.perudo.rules.bids import matching
from games.perudo.rules.state import RoundResult, State

# The animation of a reveal, in ms: the call alone, the usual length of a step, what the verdict
# takes, and the most that all of it may take.
_CALL_MS, _STEP_MS, _VERDICT_MS, _MOST_REVEAL_MS = 750, 90, 1_600, 6_000
# In steps: what a cup takes, a die that does not count, one that does, one that brings the count
# near the bid, and the silence before the verdict.
_CUP, _OTHER, _COUNTED, _NEAR, _SILENCE = 3, 1, 2, 5, 6


def turn_seconds(seats: int) -> int | None:
    """As long as on this site, whatever the number of players."""
    return None


def bot_seconds(seats: int) -> float | None:
    """As long as on this site, whatever the number of players."""
    return None


def bots_wait_ms(since: Sequence[RecordedFact], people: Container[int], *, now: datetime) -> int:
    """Nothing: only a reveal takes time to be shown, and it has a pause of its own."""
    return 0


def hold_ms(state: State) -> int:
    """The calza delay: until then the seat on turn may neither raise nor say dudo (P41)."""
    delay: int = settings.CALZA_DELAY_MS
    return delay


def window_ms(state: State) -> int:
    """How long a claim of calza waits for a simultaneous call (P40)."""
    window: int = settings.CLAIM_WINDOW_MS
    return window


def ask_bots_ms(state: State) -> float | None:
    """Bots are asked for a calza half-way through the delay; a claim is not answered by bots."""
    return hold_ms(state) / 2 if state.phase == "turn" else None


def reveal_ms(state: State) -> int:
    """How long the page animates the count of the round on the table."""
    assert state.result is not None  # noqa: S101  asked during a reveal only
    return animation(state.result).lasts_ms


@dataclass(frozen=True, slots=True)
class Animation:
    """When everything of a reveal is shown, in steps of `step_ms` after the first `call_ms`.

    `cups` and `dice` are by seat: the step at which the hand opens (None: it has no dice), and at
    which each of its dice shows; at `met` the count reaches the bid (None: it never does).
    `lasts_ms` is the whole of it.
    """

    lasts_ms: int
    call_ms: int
    step_ms: int
    cups: tuple[int | None, ...]
    dice: tuple[tuple[int, ...], ...]
    met: int | None
    verdict: int


@lru_cache(maxsize=500)  # the server waits for it, and every frame of the reveal shows it
def animation(result: RoundResult) -> Animation:
    """The animation of a reveal: seat after seat opens, clockwise from the bidder, die after die.

    The count climbs with every die that matches, slowly where it comes near the bid (P12, P25).
    The only source of its times: the server waits for its end and the page plays it at this pace.
    """
    seats, step, count, met = len(result.hands), 0, 0, None
    cups: list[int | None] = [None] * seats
    dice: list[tuple[int, ...]] = [()] * seats
    for place in range(seats):
        seat = (result.bidder + place) % seats
        if not result.hands[seat]:
            continue
        cups[seat] = step
        step += _CUP
        shown = []
        for die in result.hands[seat]:
            counts = matching((die,), result.bid.face, palifico=result.palifico is not None)
            count += counts
            near = counts and abs(count - result.bid.quantity) <= 1
            step += _NEAR if near else _COUNTED if counts else _OTHER
            shown.append(step)
            if counts and count == result.bid.quantity:
                met = step
        dice[seat] = tuple(shown)
    verdict = step + _SILENCE
    length = min(_STEP_MS, (_MOST_REVEAL_MS - _CALL_MS - _VERDICT_MS) // verdict)
    lasts = _CALL_MS + verdict * length + _VERDICT_MS
    return Animation(lasts, _CALL_MS, length, tuple(cups), tuple(dice), met, verdict)
