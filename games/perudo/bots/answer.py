"""What every bot has to answer: its turn, a calza out of turn, the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import Final, TypeVar

from games.core.contract import Chance
from games.core.moves import Confirm
from games.perudo.rules.bids import DICE_EACH, FACES, Bid, legal_counts
from games.perudo.rules.calza import why_no_calza
from games.perudo.rules.moves import Calza, Move
from games.perudo.rules.odds import Odds, odds
from games.perudo.rules.state import State
from games.perudo.rules.turns import timeout_move, to_act

# A bot moves for the seat whose state it is given.
Bot = Callable[[State, int, Chance], Move | None]

CLIMB: Final = 2  # a small raise adds at most so many dice to the number
CALZA_MARGIN: Final = 0.1  # in dice: a calza must be worth more than this

T = TypeVar("T")

_FINE: Final = 1 << 30


def answer(
    state: State,
    seat: int,
    chance: Chance,
    *,
    on_turn: Callable[[State, int, Chance], Move],
    interrupt: Callable[[State, int, Chance], bool],
) -> Move | None:
    """What a bot does now: `on_turn` on its turn, else Calza where `interrupt` says so."""
    if seat not in to_act(state):
        return None
    if state.phase == "reveal":
        return Confirm()
    if seat in state.gone:
        return timeout_move(state, seat)
    if seat == state.turn:
        return on_turn(state, seat, chance)
    return Calza() if interrupt(state, seat, chance) else None


def may_call_calza(state: State, seat: int) -> bool:
    return why_no_calza(state, seat) is None


def own_odds(state: State, seat: int, bid: Bid) -> Odds:
    return odds(
        bid,
        dice=sum(state.dice),
        hand=state.hand(seat),
        palifico=state.palifico is not None,
    )


def legal_quantities(state: State, face: int) -> range:
    """The numbers that may be bid on a face now; empty where none may."""
    return legal_counts(
        state.last_bid,
        face,
        options=state.options,
        palifico=state.palifico is not None,
        most=state.most,
    )


def smallest_bids(state: State) -> list[Bid]:
    """The smallest legal bid on each face that may be bid; the likeliest is always among them."""
    return [Bid(legal[0], face) for face in FACES if (legal := legal_quantities(state, face))]


def is_leap(state: State, move: Move | None) -> bool:
    """Whether this is a bid of more dice than the two smallest numbers of its face."""
    return isinstance(move, Bid) and move.quantity > legal_quantities(state, move.face)[0] + 1


def climbing(state: State, bids: Sequence[Bid]) -> Sequence[Bid]:
    """Those of these bids that add `CLIMB` dice or fewer; all of them where none does.

    Back from pacos (P14) even the smallest bid adds more.
    """
    before = state.last_bid.quantity if state.last_bid else 0
    return [bid for bid in bids if bid.quantity <= before + CLIMB] or bids


def any_of(items: Sequence[T], chance: Chance) -> T:
    return items[chance.below(len(items))]


def best_of(weighed: Sequence[tuple[float, T]], chance: Chance, *, within: float = 0.0) -> T:
    """The item of the greatest weight, or one `within` so little of it; ties by chance."""
    greatest = max(weight for weight, _ in weighed)
    return any_of([item for weight, item in weighed if weight >= greatest - within], chance)


def worth_a_calza(state: State, seat: int, odds: Odds) -> bool:
    """Whether a die won or lost at these odds pays; at five dice there is none to win (P42)."""
    return state.dice[seat] < DICE_EACH and 2 * odds.exact - 1 > CALZA_MARGIN


def drawn(
    moves: Sequence[Move], values: Sequence[float], chance: Chance, temperature: float
) -> Move:
    """A move by chance, e times less likely for each `temperature` that it is worth less."""
    best = max(values)
    return picked(moves, [exp((value - best) / temperature) for value in values], chance)


def picked(moves: Sequence[Move], weights: Sequence[float], chance: Chance) -> Move:
    """One of these moves by chance, as likely as it weighs."""
    left = chance.below(_FINE) / _FINE * sum(weights)
    for move, weight in zip(moves, weights, strict=True):
        left -= weight
        if left < 0:
            return move
    return moves[weights.index(max(weights))]
