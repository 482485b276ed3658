"""Three bots, each a function from the state as its seat knows it, and chance, to a move.

`state.dice` follows from public facts, so a bot uses the number of dice also where lost dice are
hidden (P45). It never reads a hand but its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from typing import Final, TypeVar

from games.core.contract import Chance
from games.perudo.rules.bids import DICE_EACH, FACES, Bid, legal_counts, matching
from games.perudo.rules.moves import Calza, Confirm, Dudo, Move
from games.perudo.rules.odds import (
    Odds,
    informed_odds,
    matches_among,
    odds,
    pacos_wild,
    times_bid,
)
from games.perudo.rules.state import State
from games.perudo.rules.turns import timeout_move, to_act, why_no_calza

# A bot moves for the seat whose state it is given. None: it may not move, or does not want to
# interrupt.
Bot = Callable[[State, int, Chance], Move | None]

T = TypeVar("T")

# --- beginner -------------------------------------------------------------------------------------

BELIEVABLE: Final = 0.25  # a beginner's own bids look at least so likely to it
SUSPICION: Final = 0.5  # below this it may doubt …
WHIM: Final = 4  # … one time in so many; it calls a tempting calza as rarely
TEMPTING: Final = 0.3  # a probability of being exact that tempts it


def beginner(state: State, seat: int, chance: Chance) -> Move | None:
    """Bids at random what looks possible, doubts on a whim or when nothing does."""
    return _answer(state, seat, chance, on_turn=_beginner_turn, interrupt=_beginner_calls_calza)


def _beginner_turn(state: State, seat: int, chance: Chance) -> Move:
    if _may_call_calza(state, seat) and _beginner_calls_calza(state, seat, chance):
        return Calza()
    last = state.last_bid
    if last and _own_odds(state, seat, last).true < SUSPICION and not chance.below(WHIM):
        return Dudo()
    bids = [
        Bid(quantity, face)
        for face in FACES
        for quantity in _counts(state, face)[:2]
        if _own_odds(state, seat, Bid(quantity, face)).true >= BELIEVABLE
    ]
    if bids:
        return _any(bids, chance)
    return Dudo() if last else _any(_smallest_bids(state), chance)


def _beginner_calls_calza(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    tempted = bid is not None and _own_odds(state, seat, bid).exact >= TEMPTING
    return tempted and state.dice[seat] < DICE_EACH and not chance.below(WHIM)


# --- steady ---------------------------------------------------------------------------------------

DOUBTFUL: Final = 0.3  # a bid less likely than this is doubted
CALZA_MARGIN: Final = 0.1  # in dice: a calza must be worth more than this


def steady(state: State, seat: int, chance: Chance) -> Move | None:
    """Doubts what is unlikely given its own dice, else makes the likeliest legal bid."""
    return _answer(state, seat, chance, on_turn=_steady_turn, interrupt=_steady_calls_calza)


def _steady_turn(state: State, seat: int, chance: Chance) -> Move:
    if _may_call_calza(state, seat) and _steady_calls_calza(state, seat, chance):
        return Calza()
    last = state.last_bid
    if last and _own_odds(state, seat, last).true < DOUBTFUL:
        return Dudo()
    bids = [(_own_odds(state, seat, bid).true, bid) for bid in _smallest_bids(state)]
    return _best(bids, chance) if bids else Dudo()


def _steady_calls_calza(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    return bid is not None and _worth_a_calza(state, seat, _own_odds(state, seat, bid))


def _worth_a_calza(state: State, seat: int, odds: Odds) -> bool:
    """Whether a die won or lost at these odds pays; at five dice there is none to win (P42)."""
    return state.dice[seat] < DICE_EACH and 2 * odds.exact - 1 > CALZA_MARGIN


# --- sharp ----------------------------------------------------------------------------------------
# Everything is weighed in dice. Losing one costs 1. When another player loses one, that is worth
# `stake`, because all the others gain alike: 1 between two players, 1/5 at a full table.

DOUBT_AT: Final = 0.36  # the next player doubts a bid that looks so likely half the time
DOUBT_SPREAD: Final = 0.1  # how gradually doubt sets in around that
ESCAPE: Final = 0.8  # the worth of the next player raising, in stakes
RETURN: Final = 0.5  # the cost, in dice, of a bid that comes back higher and still true
GROWTH: Final = 0.35  # growth of the number with each player until then
HOPELESS: Final = 0.05  # bids above the first one so unlikely are not weighed
NEARLY: Final = 0.02  # moves so near to the best are as good, and less predictable


def sharp(state: State, seat: int, chance: Chance) -> Move | None:
    """Weighs every move by its worth, using the bids so far and guessing who will doubt."""
    return _answer(state, seat, chance, on_turn=_sharp_turn, interrupt=_sharp_calls_calza)


def _sharp_turn(state: State, seat: int, chance: Chance) -> Move:
    stake = _stake(state)
    moves: list[tuple[float, Move]] = []
    if state.last_bid:
        odds_now = _informed_odds(state, seat, state.last_bid)
        moves.append(((1 - odds_now.true) * stake - odds_now.true, Dudo()))
        if _may_call_calza(state, seat) and state.dice[seat] < DICE_EACH:
            moves.append((2 * odds_now.exact - 1, Calza()))
    for face in FACES:
        moves += _weighed_bids(state, seat, face, stake)
    return _best(moves, chance, within=NEARLY)


def _sharp_calls_calza(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    return bid is not None and _worth_a_calza(state, seat, _informed_odds(state, seat, bid))


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
    counts = _counts(state, face)
    if not counts:
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
    for quantity in counts:
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


# --- what they share ------------------------------------------------------------------------------


def _answer(
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


def _may_call_calza(state: State, seat: int) -> bool:
    return why_no_calza(state, seat) is None


def _own_odds(state: State, seat: int, bid: Bid) -> Odds:
    return odds(
        bid,
        dice=sum(state.dice),
        hand=state.hand(seat),
        palifico=state.palifico is not None,
    )


def _counts(state: State, face: int) -> range:
    return legal_counts(
        state.last_bid,
        face,
        options=state.options,
        palifico=state.palifico is not None,
        most=state.most,
    )


def _smallest_bids(state: State) -> list[Bid]:
    """The smallest legal bid on each face that may be bid; the likeliest is always among them."""
    return [Bid(counts[0], face) for face in FACES if (counts := _counts(state, face))]


def _any(items: Sequence[T], chance: Chance) -> T:
    return items[chance.below(len(items))]


def _best(weighed: Sequence[tuple[float, T]], chance: Chance, *, within: float = 0.0) -> T:
    """The item of the greatest weight, or one `within` so little of it; ties by chance."""
    greatest = max(weight for weight, _ in weighed)
    return _any([item for weight, item in weighed if weight >= greatest - within], chance)


BOTS: Final[Mapping[str, Bot]] = {"beginner": beginner, "steady": steady, "sharp": sharp}
STAND_IN: Final = "steady"  # plays for absent people
