"""The state of a game as one viewer knows it: `evolve` builds it, questions read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from games.core.contract import Fact, Outcome, Sealed
from games.core.values import changed, with_item
from games.perudo.rules.bids import DICE_EACH, Bid, ceiling
from games.perudo.rules.events import (
    BidMade,
    Call,
    CalzaClaimed,
    DieLost,
    DieRegained,
    Eliminated,
    GameStarted,
    Hand,
    Left,
    PalificoAnnounced,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.perudo.rules.options import Options

Phase = Literal["turn", "claims", "reveal", "over"]


@dataclass(frozen=True)
class RoundResult:
    """How a round ended: the bid, who called what on it, the dice and who lost or regained one."""

    number: int
    opener: int
    palifico: int | None
    bids: tuple[tuple[int, Bid], ...]
    call: Call
    caller: int
    hands: tuple[Hand, ...]
    count: int
    loser: int | None = None
    gainer: int | None = None
    eliminated: tuple[int, ...] = ()

    @property
    def bidder(self) -> int:
        return self.bids[-1][0]

    @property
    def bid(self) -> Bid:
        return self.bids[-1][1]


@dataclass(frozen=True)
class State:
    """A game as far as one viewer knows it; seats are numbered clockwise from 0 (P3).

    `dice` follows from public facts; at tables that hide lost dice (P45) pages must use
    `shown_dice` instead. `hands` holds only what this viewer knows: None is sealed.
    """

    options: Options
    seats: int
    phase: Phase
    dice: tuple[int, ...]
    hands: tuple[Hand | None, ...] = field(repr=False)
    number: int = 0
    opener: int = 0
    turn: int = 0
    palifico: int | None = None
    bids: tuple[tuple[int, Bid], ...] = ()
    claims: tuple[int, ...] = ()
    confirmed: frozenset[int] = frozenset()
    starter_rolls: tuple[tuple[tuple[int, Hand], ...], ...] = ()
    result: RoundResult | None = None
    announced: int | None = None
    have_been_palifico: frozenset[int] = frozenset()
    gone: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    active: tuple[int, ...] = field(init=False, repr=False)  # the seats that have dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "active", _with_dice(self.dice))

    @property
    def last_bid(self) -> Bid | None:
        return self.bids[-1][1] if self.bids else None

    @property
    def bidder(self) -> int | None:
        return self.bids[-1][0] if self.bids else None

    @property
    def most(self) -> int:
        """The largest number that may be bid at this table (P9)."""
        return ceiling(self.seats)

    def left_of(self, seat: int) -> int:
        """The next active seat to the left, clockwise (P3); the seat itself when it is alone."""
        dice, seats = self.dice, self.seats
        for step in range(1, seats + 1):
            if dice[(seat + step) % seats]:
                return (seat + step) % seats
        raise LookupError("nobody has dice")

    def hand(self, seat: int) -> Hand:
        """The dice of a seat; Sealed when this viewer does not know them."""
        hand = self.hands[seat]
        if hand is None:
            raise Sealed(f"the dice of seat {seat} are hidden")
        return hand


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
    return changed(state, dice=dice, active=_with_dice(dice), **changes)


def _with_dice(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat, left in enumerate(dice) if left)


# --- questions ------------------------------------------------------------------------------------


def phase(state: State) -> Phase:
    return state.phase


def in_play(state: State) -> tuple[int, ...]:
    """The seats that still have dice, in order."""
    return state.active


def standing(state: State) -> tuple[int, ...]:
    """The seats that still have dice, those with the most first; equal ones in seat order."""
    return tuple(sorted(state.active, key=lambda seat: -state.dice[seat]))


def outcome(state: State) -> Outcome | None:
    """The winner, then the others, last out first; None while the game runs (P49)."""
    if state.phase != "over":
        return None
    winner = next(seat for seat in range(state.seats) if seat not in state.out)
    left = state.out[-1] in state.gone  # a seat that left goes out last only if everyone else left
    return Outcome(
        ranking=tuple((seat,) for seat in (winner, *reversed(state.out))),
        reason="others_left" if left else "last_with_dice",
    )


def finished_round(state: State) -> RoundResult | None:
    """The round that has just ended, while it is shown; None otherwise."""
    return state.result


def shown_dice(state: State, viewer: int | None) -> tuple[int | None, ...]:
    """How many dice each seat has, as far as `viewer` (a seat, or None) is shown (P43 to P45).

    None hides a number. Where lost dice are hidden, viewers see their own number, that eliminated
    seats have none, and every number during a reveal.
    """
    if state.options.lost_dice_visible or state.phase in ("reveal", "over"):
        return state.dice
    return tuple(
        dice if dice == 0 or seat == viewer else None for seat, dice in enumerate(state.dice)
    )
