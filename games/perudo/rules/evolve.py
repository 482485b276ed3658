"""`evolve`: from one fact to the next state, the same for every audience."""

from __future__ import annotations

from games.core.contract import Fact
from games.core.values import changed, with_item
from games.perudo.rules.bids import DICE_EACH
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    DieRegained,
    Eliminated,
    GameStarted,
    Left,
    PalificoAnnounced,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StartedMidway,
    StarterRolled,
)
from games.perudo.rules.options import Options
from games.perudo.rules.state import RoundResult, State, seats_with_dice


def evolve(state: State | None, fact: Fact) -> State:
    """The state after a fact; total over the facts of a game in their order."""
    if state is None:
        assert isinstance(fact, GameStarted), "a game begins with GameStarted"  # noqa: S101
        return _game_started(fact.seats, fact.options)
    match fact:  # the most frequent first
        case BidMade():
            return changed(
                state,
                phase="turn",
                turn=state.left_of(fact.seat),
                bids=(*state.bids, (fact.seat, fact.bid)),
                claims=(),
            )
        case Rolled():
            return changed(state, hands=with_item(state.hands, fact.only, fact.dice))
        case RevealSeen():
            return changed(state, confirmed=state.confirmed | {fact.seat})
        case RoundStarted():
            return _round_started(state, fact)
        case Revealed():
            return _revealed(state, fact)
        case DieLost():
            result = state.result and changed(state.result, loser=fact.seat)
            return _dice_changed(state, fact.seat, state.dice[fact.seat] - 1, result=result)
        case DieRegained():
            result = state.result and changed(state.result, gainer=fact.seat)
            return _dice_changed(state, fact.seat, state.dice[fact.seat] + 1, result=result)
        case Eliminated():
            return _eliminated(state, fact.seat)
        case PalificoAnnounced():
            return changed(state, announced=fact.seat)
        case CalzaClaimed():
            return changed(state, phase="claims", claims=(*state.claims, fact.seat))
        case Left():
            return changed(state, gone=(*state.gone, fact.seat))
        case StarterRolled():
            return changed(state, starter_rolls=(*state.starter_rolls, fact.rolls))
        case StartedMidway():
            return changed(
                state,
                first_round=fact.number,
                dice=fact.dice,
                active=seats_with_dice(fact.dice),
                out=fact.out,
                have_been_palifico=frozenset(fact.have_been_palifico),
            )
    return state


def _game_started(seats: int, options: Options) -> State:
    return State(
        options=options,
        seats=seats,
        phase="turn",
        dice=(DICE_EACH,) * seats,
        hands=(None,) * seats,
    )


def _round_started(state: State, fact: RoundStarted) -> State:
    palifico = fact.palifico
    been = state.have_been_palifico
    return changed(
        state,
        phase="turn",
        hands=tuple(None if dice else () for dice in state.dice),
        number=fact.number,
        opener=fact.opener,
        turn=fact.opener,
        palifico=palifico,
        have_been_palifico=been if palifico is None else been | {palifico},
        bids=(),
        claims=(),
        confirmed=frozenset(),
        result=None,
        announced=None,
    )


def _revealed(state: State, fact: Revealed) -> State:
    result = RoundResult(
        number=state.number,
        opener=state.opener,
        palifico=state.palifico,
        bids=state.bids,
        call=fact.call,
        caller=fact.caller,
        hands=fact.hands,
        count=fact.count,
    )
    return changed(state, phase="reveal", claims=(), hands=fact.hands, result=result)


def _eliminated(state: State, seat: int) -> State:
    out = (*state.out, seat)
    result = state.result
    return _dice_changed(
        state,
        seat,
        0,
        phase="over" if len(out) == state.seats - 1 else state.phase,
        out=out,
        result=result and changed(result, eliminated=(*result.eliminated, seat)),
    )


def _dice_changed(state: State, seat: int, number: int, **changes: object) -> State:
    dice = with_item(state.dice, seat, number)
    return changed(state, dice=dice, active=seats_with_dice(dice), **changes)
