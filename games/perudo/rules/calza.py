"""Who may call calza, and whose claim prevails (P33 to P42). Only reads the state."""

from __future__ import annotations

from collections.abc import Iterable

from games.perudo.rules.bids import DICE_EACH
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
