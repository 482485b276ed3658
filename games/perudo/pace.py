"""How long the pauses of Perudo last: for calza, for simultaneous claims, for the reveal."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from games.perudo.rules.state import State

# The animation of a reveal, in ms: what is before the first die and after the last one, the usual
# time from one die to the next, and the most that all of it may take.
_AROUND_THE_DICE_MS, _A_DIE_MS, _MOST_REVEAL_MS = 2_300, 130, 6_000


def turn_seconds(seats: int) -> int | None:
    """As long as on this site, whatever the number of players."""
    return None


def bot_seconds(seats: int) -> float | None:
    """As long as on this site, whatever the number of players."""
    return None


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
    return animation(state.result.count).lasts_ms


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
