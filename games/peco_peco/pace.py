"""How long turns and pauses of Peco Peco last.

A round has more turns the more people play: some 17 with four, 47 with eight. So turns are shorter
at large tables, and a game of one person and bots mostly stays under 20 minutes (docs/bots.md).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.contract.game_values import RecordedFact
from games.peco_peco.rules.events import BluffAdmitted, HonestyShown
from games.peco_peco.rules.state import State

# The most seconds of a turn, and of a bot's turn, by the number of seats.
_TURN_SECONDS: Final = {7: 20, 8: 20}
_BOT_SECONDS: Final = {6: 0.7, 7: 0.7, 8: 0.7}
# How long an accusation is shown, from the call to what came of it. The page takes 1.75 s for it
# (moments.css); then it can be read, and for longer by a person who accused or was accused.
_ACCUSED_MS, _PERSON_ACCUSED_MS = 2_500, 3_000

# What the page shows at the end of a round, in ms: the last card, then the stake on its way to the
# winner's dishes; after a general defeat it is only put away.
_WON_MS, _LOST_MS = 2_500, 1_500


def turn_seconds(seats: int) -> int | None:
    """A hand is small: half a minute is enough, and less at a large table."""
    return _TURN_SECONDS.get(seats, 30)


def bot_seconds(seats: int) -> float | None:
    """As long as on this site, and less at a large table."""
    return _BOT_SECONDS.get(seats)


def bots_wait_ms(since: Sequence[RecordedFact], people: Container[int], *, now: datetime) -> int:
    """Until an accusation has been shown and can be read, at any tempo.

    Also when a person has moved on at once: those who were accused, and all others, still read it.
    It rests on who accused whom, and when: not on any card, nor on what came of it.
    """
    for event in reversed(since):
        if event.at + timedelta(milliseconds=_PERSON_ACCUSED_MS) <= now:
            break
        if isinstance(event.fact, BluffAdmitted | HonestyShown):
            concerned = event.fact.accuser in people or event.fact.accused in people
            whole = _PERSON_ACCUSED_MS if concerned else _ACCUSED_MS
            passed = round((now - event.at) / timedelta(milliseconds=1))
            return min(whole, max(0, whole - passed))  # no more where the clock was put back
    return 0


def hold_ms(state: State) -> int:
    """Nothing: while a declaration may be slapped, the window itself keeps the others waiting."""
    return 0


def window_ms(state: State) -> int:
    """How long an accusation by slap is possible, before the next player may act (Q33)."""
    return state.options.slap_window_ms


def ask_bots_ms(state: State) -> float | None:
    """Bots are asked for a slap half-way through the window, so that people can be faster."""
    return window_ms(state) / 2 if state.phase == "claims" else None


def reveal_ms(state: State) -> int:
    """How long the page animates the end of the round on the table."""
    assert state.result is not None  # noqa: S101  asked during a reveal only
    return _LOST_MS if state.result.winner is None else _WON_MS
