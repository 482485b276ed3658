"""Who may make which move now, and which move a timeout makes. Only reads the state."""

from __future__ import annotations

from games.core.contract import Waiting
from games.core.moves import Confirm
from games.perudo.rules.bids import ORDINARY, Bid, legal_bids
from games.perudo.rules.calza import why_no_calza
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims
from games.perudo.rules.state import State


def cuts_off(state: State, seat: int, move: Move) -> bool:
    """Whether a raise or dudo would end the time in which others may call calza (P41)."""
    turn_move = isinstance(move, Bid | Dudo) and seat == state.turn and state.phase == "turn"
    return turn_move and bool(state.bids) and len(to_act(state)) > 1


# --- who may do what ------------------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Who may move: the seat on turn, then who may call calza; in a reveal who must confirm."""
    match state.phase:
        case "over":
            return ()
        case "reveal":
            return tuple(seat for seat in state.active if seat not in state.confirmed)
    if state.options.calza == "off" or not state.bids:
        return (state.turn,)
    others = (seat for seat in state.active if seat != state.turn)
    return (state.turn, *(seat for seat in others if why_no_calza(state, seat) is None))


def waiting(state: State) -> Waiting | None:
    """What the game waits for; None when it is over. Claims of calza are a window (P40, P41)."""
    if state.phase == "over":
        return None
    if state.phase == "reveal":
        return Waiting("reveal", to_acknowledge=to_act(state))
    on_turn, *others = to_act(state)
    return Waiting("turn" if state.phase == "turn" else "window", on_turn, tuple(others))


def legal_moves(state: State, seat: int) -> list[Move]:
    """Every move of play for this seat now, with the state as that seat knows it.

    Leaving is possible besides, and settling claims is the scheduler's.
    """
    if seat in state.gone:
        return absent_moves(state, seat)
    if state.phase == "over" or not state.dice[seat]:
        return []
    if state.phase == "reveal":
        return [] if seat in state.confirmed else [Confirm()]
    moves: list[Move] = []
    if seat == state.turn:
        palifico = state.palifico is not None
        moves += legal_bids(
            state.last_bid, options=state.options, palifico=palifico, most=state.most
        )
        if state.bids:
            moves.append(Dudo())
    if state.options.calza == "on" and why_no_calza(state, seat) is None:
        moves.append(Calza())
    return moves


def absent_moves(state: State, seat: int) -> list[Move]:
    """The automatic moves of a seat that left, whatever its hand.

    Its dice stay in play until the round ends, so it still gets turns (C5).
    """
    if seat != state.turn or state.phase not in ("turn", "claims"):
        return []
    return [Dudo()] if state.bids else [Bid(1, face) for face in ORDINARY]


# --- the scheduler -------------------------------------------------------------------------------


def timeout_move(state: State, seat: int) -> Move:
    """Dudo, or to open a round one die of the commonest value in this hand (C5)."""
    if state.phase == "reveal":
        return Confirm()
    if state.bids:
        return Dudo()
    hand = state.hand(seat)
    return Bid(1, max(ORDINARY, key=hand.count))


def due_moves(state: State) -> list[tuple[int, Move]]:
    """The moves to play when the time of the present phase is up, in order."""
    match state.phase:
        case "turn":
            return [(state.turn, timeout_move(state, state.turn))]
        case "claims":
            return [(state.claims[0], SettleClaims())]
        case "reveal":
            return [(seat, Confirm()) for seat in to_act(state)]
        case "over":
            return []
