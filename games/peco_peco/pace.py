"""How long turns and pauses of Peco Peco last.

A round has more turns the more people play: some 17 with four, 47 with eight. So turns are shorter
at large tables, and a game of one person and bots mostly stays under 20 minutes (docs/bots.md).
"""

from __future__ import annotations

from typing import Final

from games.peco_peco.rules.state import State

# The most seconds of a turn, and of a bot's turn, by the number of seats.
_TURN_SECONDS: Final = {7: 20, 8: 20}
_BOT_SECONDS: Final = {6: 0.7, 7: 0.7, 8: 0.7}
# The page takes 1.75 s to show what came of an accusation (moments.css); then it can be read.
_ACCUSED_MS: Final = 2_500

# What the page shows at the end of a round, in ms: the last card, then the stake on its way to the
# winner's dishes; after a general defeat it is only put away.
_WON_MS, _LOST_MS = 2_500, 1_500


def turn_seconds(seats: int) -> int | None:
    """A hand is small: half a minute is enough, and less at a large table."""
    return _TURN_SECONDS.get(seats, 30)


def bot_seconds(seats: int) -> float | None:
    """As long as on this site, and less at a large table."""
    return _BOT_SECONDS.get(seats)


def bots_wait_ms(state: State) -> int:
    """Until an accusation has been shown and can be read, at any tempo.

    The seat that acted last has neither to answer nor a declaration to defend, nor the top card.
    """
    settled = state.declarer is None and state.owner != state.last_actor
    if not settled or state.last_actor in state.pending or state.phase != "turn":
        return 0
    return _ACCUSED_MS


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
