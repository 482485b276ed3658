"""Who may make which move now, and which move a timeout makes. Only reads the state."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.contract import Waiting
from games.perudo.rules.bids import DICE_EACH, ORDINARY, Bid, legal_bids
from games.perudo.rules.moves import Calza, Confirm, Dudo, Leave, Move, SettleClaims
from games.perudo.rules.reasons import Reason
from games.perudo.rules.state import State


def why_out(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` takes no part in the game any more; None while it does."""
    if state.phase == "over":
        return "game_over"
    if seat in state.gone:
        return "already_left"
    if not state.dice[seat]:
        return "eliminated"
    return None


# --- calza ---------------------------------------------------------------------------------------


def why_no_calza(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` may not call calza now; None when it may (P35 to P38, P42).

    The caller's hand plays no part, so that the offer reveals nothing.
    """
    reason = why_out(state, seat) or _why_not_entitled(state, seat)
    if reason is None and seat in state.claims:
        return "already_claimed"
    return reason


def _why_not_entitled(state: State, seat: int) -> Reason | None:
    options = state.options
    if not state.dice[seat]:
        return "eliminated"
    if options.calza == "off":
        return "calza_off"
    if state.phase == "reveal":
        return "round_over"
    if not state.bids:
        return "no_bid"  # P36
    if seat == state.bidder:
        return "own_bid"
    if options.calza_who == "current_only" and seat != state.turn:
        return "not_your_turn"
    if options.calza_who == "any_but_bidder_and_next" and seat == state.turn:
        return "next_bidder"
    if state.palifico is not None and not options.calza_in_palifico:
        return "calza_palifico"
    if len(state.active) < options.calza_min_players:
        return "calza_two_left"
    if options.calza_needs_lost_die and state.dice[seat] == DICE_EACH:
        return "calza_full"
    return None


def arbitrate(state: State, claims: Iterable[int]) -> int | None:
    """The claim that prevails: of those entitled, the nearest to the bidder's left (P40).

    A claim stands even if its seat leaves the game before it is settled. None: nobody may call.
    """
    bidder = state.bidder
    if bidder is None:
        return None
    entitled = [seat for seat in claims if _why_not_entitled(state, seat) is None]
    return min(entitled, key=lambda seat: (seat - bidder) % state.seats, default=None)


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


def leave_move() -> Move:
    return Leave()
