"""What follows from a move: facts, or a refusal with a reason code."""

from __future__ import annotations

from games.core.contract import VERSION, Chance, Fact, IllegalMove
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import Bid, raises_as_text, why_illegal
from games.perudo.rules.calza import arbitrate, why_no_calza, why_out
from games.perudo.rules.events import BidMade, CalzaClaimed, Left, RevealSeen
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims
from games.perudo.rules.rounds import departures, next_round, reveal, state_after
from games.perudo.rules.state import State
from games.perudo.rules.turns import absent_moves, to_act


def decide(
    state: State, seat: int, move: Move, chance: Chance, *, version: int = VERSION
) -> list[Fact]:
    """What follows when `seat` makes `move`; IllegalMove carries the reason code (A13).

    For a seat that left, only the moves that may be played in its place are allowed. ValueError
    when the table has no such seat. Every `version` of the rules judges moves alike.
    """
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat} at a table of {state.seats}")
    out = why_out(state, seat)
    if out and not (out == "already_left" and _may_be_played_for_it(state, seat, move)):
        raise IllegalMove(out)
    match move:
        case Bid():
            return _bid(state, seat, move)
        case Dudo():
            return _dudo(state, seat)
        case Calza():
            return _claim(state, seat)
        case Confirm():
            return _confirm(state, seat, chance)
        case Leave():
            return _leave(state, seat, chance)
        case SettleClaims():
            return _settle(state)


def _may_be_played_for_it(state: State, seat: int, move: Move) -> bool:
    return isinstance(move, SettleClaims) or move in absent_moves(state, seat)


def _require_turn(state: State, seat: int) -> None:
    if state.phase == "reveal":
        raise IllegalMove("round_over")
    if seat != state.turn:
        raise IllegalMove("not_your_turn")  # P8, P18


def _bid(state: State, seat: int, bid: Bid) -> list[Fact]:
    _require_turn(state, seat)
    last, options, palifico = state.last_bid, state.options, state.palifico is not None
    reason = why_illegal(bid, last, options=options, palifico=palifico, most=state.most)
    if reason:
        legal = raises_as_text(last, options=options, palifico=palifico, most=state.most)
        raise IllegalMove(reason, bid=str(bid), last=str(last or ""), legal=legal)
    return [BidMade(seat, bid)]


def _dudo(state: State, seat: int) -> list[Fact]:
    _require_turn(state, seat)
    if not state.bids:
        raise IllegalMove("no_bid")  # P7
    return reveal(state, "dudo", seat)


def _claim(state: State, seat: int) -> list[Fact]:
    reason = why_no_calza(state, seat)
    if reason:
        raise IllegalMove(reason)
    if seat == state.turn:  # nobody is nearer, and only this seat could raise: it prevails at once
        return reveal(state, "calza", seat)
    return [CalzaClaimed(seat)]


def _settle(state: State) -> list[Fact]:
    caller = arbitrate(state, state.claims)
    if caller is None:
        raise IllegalMove("nothing_to_settle")
    return reveal(state, "calza", caller)


def _confirm(state: State, seat: int, chance: Chance) -> list[Fact]:
    if state.phase != "reveal" or seat in state.confirmed:
        raise IllegalMove("nothing_to_confirm")
    facts: list[Fact] = [RevealSeen(seat)]
    if to_act(state) == (seat,):  # the last to confirm
        facts += next_round(state, chance)
    return facts


def _leave(state: State, seat: int, chance: Chance) -> list[Fact]:
    facts: list[Fact] = [Left(seat)]
    after = state_after(state, facts)
    staying = [other for other in after.active if other not in after.gone]
    if after.phase == "reveal" or len(staying) == 1:
        gone = departures(after, after.active)
        facts += gone
        after = state_after(after, gone)
    if after.phase == "reveal" and not to_act(after):  # all the others have confirmed
        facts += next_round(after, chance)
    return facts
