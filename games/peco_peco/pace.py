"""How long the pauses of Peco Peco last; pure, so that they can be set by a table's options."""

from __future__ import annotations

from games.peco_peco.rules.state import State


def hold_ms(state: State) -> int:
    """Nothing: while a declaration may be slapped, the window itself keeps the others waiting."""
    return 0


def window_ms(state: State) -> int:
    """How long an accusation by slap is possible (Q33)."""
    return state.options.slap_window_ms


def ask_bots_ms(state: State) -> float | None:
    """Bots are asked for a slap half-way through the window."""
    return window_ms(state) / 2 if state.phase == "claims" else None


def reveal_ms(state: State) -> int:
    """Nothing: the end of a round is shown without an animation."""
    return 0
