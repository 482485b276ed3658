"""The sharp bot: weighs every move by its worth, and reads the bids of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Final

from games.core.contract import Chance
from games.perudo.bots.answer import (
    answer,
    best_of,
    drawn,
    is_leap,
    legal_quantities,
    may_call_calza,
    worth_a_calza,
)
from games.perudo.rules.bids import DICE_EACH, FACES, Bid, matching
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.odds import (
    Odds,
    informed_odds,
    matches_among,
    pacos_wild,
    times_bid,
)
from games.perudo.rules.state import State

# Everything is weighed in dice. Losing one costs 1. When another player loses one, that is worth
# `stake`, because all the others gain alike: 1 between two players, 1/5 at a full table.

DOUBT_AT: Final = 0.36  # the next player doubts a bid that looks so likely half the time
DOUBT_SPREAD: Final = 0.1  # how gradually doubt sets in around that
ESCAPE: Final = 0.8  # the worth of the next player raising, in stakes
RETURN: Final = 0.5  # the cost, in dice, of a bid that comes back higher and still true
GROWTH: Final = 0.35  # growth of the number with each player until then
HOPELESS: Final = 0.05  # bids above the first one so unlikely are not weighed
NEARLY: Final = 0.02  # moves so near to the best are as good, and less predictable

# In dice, for the first bid of a round, which is read most: a bid worth so much less is made e
# times less often; the second is added in stakes.
OPENING: Final = 0.08
OPENING_STAKES: Final = 0.12


def sharp(state: State, seat: int, chance: Chance) -> Move | None:
    """Weighs every move by its worth, using the bids so far and guessing who will doubt."""
    return answer(state, seat, chance, on_turn=_turn, interrupt=calls_calza)


def sharp_among_weaker(state: State, seat: int, chance: Chance) -> Move | None:
    """The same, raising by little."""
    return answer(state, seat, chance, on_turn=_small_turn, interrupt=calls_calza)


def _turn(state: State, seat: int, chance: Chance) -> Move:
    return chosen(state, seat, weighed(state, seat), chance)


def _small_turn(state: State, seat: int, chance: Chance) -> Move:
    moves = [(worth, move) for worth, move in weighed(state, seat) if not is_leap(state, move)]
    return chosen(state, seat, moves, chance)


def chosen(state: State, seat: int, moves: Sequence[tuple[float, Move]], chance: Chance) -> Move:
    """One of the best moves; an opening by a softmax, so that it tells little of the dice.

    A player who left reads nothing and calls dudo automatically.
    """
    if state.bids or state.left_of(seat) in state.gone:
        return best_of(moves, chance, within=NEARLY)
    temperature = OPENING + OPENING_STAKES * _stake(state)
    return drawn([move for _, move in moves], [worth for worth, _ in moves], chance, temperature)


def weighed(state: State, seat: int) -> list[tuple[float, Move]]:
    """The moves of the seat on turn that it considers, with what each is worth in dice."""
    stake = _stake(state)
    moves: list[tuple[float, Move]] = []
    if state.last_bid:
        odds_now = _informed_odds(state, seat, state.last_bid)
        moves.append(((1 - odds_now.true) * stake - odds_now.true, Dudo()))
        if may_call_calza(state, seat) and state.dice[seat] < DICE_EACH:
            moves.append((2 * odds_now.exact - 1, Calza()))
    for face in FACES:
        moves += _weighed_bids(state, seat, face, stake)
    return moves


def calls_calza(state: State, seat: int, chance: Chance) -> bool:
    """Whether calza is worth its risk, by the informed odds."""
    bid = state.last_bid
    return bid is not None and worth_a_calza(state, seat, _informed_odds(state, seat, bid))


def _stake(state: State) -> float:
    return 1 / (len(state.active) - 1)


def _informed_odds(state: State, seat: int, bid: Bid) -> Odds:
    return informed_odds(
        bid,
        dice=state.dice,
        seat=seat,
        hand=state.hand(seat),
        bids=state.bids,
        palifico=state.palifico is not None,
    )


def _weighed_bids(state: State, seat: int, face: int, stake: float) -> Iterator[tuple[float, Move]]:
    """Legal bids on `face` with what each is worth in dice.

    The probability that the next player has n matching dice is known. Given n, so are how likely
    the bid looks to them, hence how likely they doubt, and how likely they are right to.
    """
    quantities = legal_quantities(state, face)
    if not quantities:
        return
    palifico = state.palifico is not None
    wild = pacos_wild(face, palifico=palifico)
    times = times_bid(face, state.bids)
    follower = state.left_of(seat)
    rest, next_hand = [0, 0, 0], [0, 0, 0]
    for other, dice in enumerate(state.dice):
        if other != seat:
            (next_hand if other == follower else rest)[times.get(other, 0)] += dice
    among_next = matches_among(*next_hand, wild=wild)
    among_rest = matches_among(*rest, wild=wild)
    unknown_to_next = matches_among(sum(state.dice) - state.dice[follower], 0, 0, wild=wild)
    unknown_to_us = matches_among(sum(rest) + sum(next_hand), 0, 0, wild=wild)
    mine = matching(state.hand(seat), face, palifico=palifico)
    others = len(state.active) - 1
    for quantity in quantities:
        needed = quantity - mine
        grown = needed + round(GROWTH * others)
        escaped = ESCAPE * stake - RETURN * unknown_to_us.at_least(grown)
        worth = 0.0
        for n, share in enumerate(among_next.chances):
            doubt = _doubt(unknown_to_next.at_least(quantity - n))
            if follower in state.gone:
                doubt = 1.0  # its player left: it will call dudo automatically
            true = among_rest.at_least(needed - n)
            worth += share * (doubt * (true * stake - (1 - true)) + (1 - doubt) * escaped)
        yield worth, Bid(quantity, face)
        if unknown_to_us.at_least(needed) < HOPELESS:
            return


def _doubt(plausible: float) -> float:
    """How likely a player doubts a bid that looks so likely to them."""
    return 1 / (1 + exp((plausible - DOUBT_AT) / DOUBT_SPREAD))
