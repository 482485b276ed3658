"""Three bots: a move from what a seat knows and chance. They see no more than a player there does.

A bot listens and counts along: `state.dice` follows from public facts, so it uses the number of
dice also where lost dice are hidden (P45). Hands other than its own it never asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp
from typing import Final, TypeVar

from games.core.contract import Chance
from games.rules.perudo.allow import timeout_move, to_act, why_no_calza
from games.rules.perudo.bids import DICE_EACH, FACES, Bid, legal_counts, matching
from games.rules.perudo.moves import Calza, Confirm, Dudo, Move
from games.rules.perudo.odds import (
    Odds,
    informed_odds,
    jokers_count,
    matches_among,
    odds,
    times_bid,
)
from games.rules.perudo.state import State

# A bot answers for a seat whose state it is given. None: it has nothing to say now, because it
# may not, or because it does not care to interrupt.
Bot = Callable[[State, int, Chance], Move | None]

T = TypeVar("T")

# --- beginner -------------------------------------------------------------------------------------

BELIEVABLE: Final = 0.25  # a beginner's own bids are at least so likely, as he sees it
SUSPICION: Final = 0.5  # under this he may doubt …
WHIM: Final = 4  # … one time in so many; as rarely he calls a calza that tempts him
TEMPTING: Final = 0.3  # a chance of being exact that tempts him


def beginner(state: State, seat: int, chance: Chance) -> Move | None:
    """Bids at random what looks possible, doubts on a whim or when nothing does."""
    return _answer(state, seat, chance, speak=_beginner_speaks, claim=_beginner_claims)


def _beginner_speaks(state: State, seat: int, chance: Chance) -> Move:
    if _may_claim(state, seat) and _beginner_claims(state, seat, chance):
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


def _beginner_claims(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    tempted = bid is not None and _own_odds(state, seat, bid).exact >= TEMPTING
    return tempted and state.dice[seat] < DICE_EACH and not chance.below(WHIM)


# --- steady ---------------------------------------------------------------------------------------

DOUBTFUL: Final = 0.3  # a bid less likely than this is doubted
CALZA_MARGIN: Final = 0.1  # in dice: a calza must be worth more than this


def steady(state: State, seat: int, chance: Chance) -> Move | None:
    """Doubts what is unlikely given its own dice, else makes the likeliest legal bid."""
    return _answer(state, seat, chance, speak=_steady_speaks, claim=_steady_claims)


def _steady_speaks(state: State, seat: int, chance: Chance) -> Move:
    if _may_claim(state, seat) and _steady_claims(state, seat, chance):
        return Calza()
    last = state.last_bid
    if last and _own_odds(state, seat, last).true < DOUBTFUL:
        return Dudo()
    bids = [(_own_odds(state, seat, bid).true, bid) for bid in _smallest_bids(state)]
    return _best(bids, chance) if bids else Dudo()


def _steady_claims(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    return bid is not None and _worth_a_calza(state, seat, _own_odds(state, seat, bid))


def _worth_a_calza(state: State, seat: int, odds: Odds) -> bool:
    """Whether a die won or lost at these odds pays; at five dice there is none to win (P42)."""
    return state.dice[seat] < DICE_EACH and 2 * odds.exact - 1 > CALZA_MARGIN


# --- sharp ----------------------------------------------------------------------------------------
# Everything is weighed in dice. To lose one costs 1; that another loses one is worth a share
# `stake` of it, because all who did not lose it gain alike: 1 in a duel, 1/5 at a full table.

DOUBT_AT: Final = 0.36  # the next player doubts half the time a bid that he thinks so likely
DOUBT_SPREAD: Final = 0.1  # and this says how suddenly he changes his mind
ESCAPE: Final = 0.8  # what it is worth that the next player raises, in stakes
RETURN: Final = 0.5  # and what it costs, in dice, when the bid comes back grown and still true
GROWTH: Final = 0.35  # by how much the number grows with each player until then
HOPELESS: Final = 0.05  # larger bids than the first one so unlikely are not thought about
NEARLY: Final = 0.02  # moves so near to the best are as good, and harder to read


def sharp(state: State, seat: int, chance: Chance) -> Move | None:
    """Weighs every move by what it is worth, listening to the bids and guessing who will doubt."""
    return _answer(state, seat, chance, speak=_sharp_speaks, claim=_sharp_claims)


def _sharp_speaks(state: State, seat: int, chance: Chance) -> Move:
    stake = _stake(state)
    moves: list[tuple[float, Move]] = []
    if state.last_bid:
        heard = _heard_odds(state, seat, state.last_bid)
        moves.append(((1 - heard.true) * stake - heard.true, Dudo()))
        if _may_claim(state, seat) and state.dice[seat] < DICE_EACH:
            moves.append((2 * heard.exact - 1, Calza()))
    for face in FACES:
        moves += _weighed_bids(state, seat, face, stake)
    return _best(moves, chance, within=NEARLY)


def _sharp_claims(state: State, seat: int, chance: Chance) -> bool:
    bid = state.last_bid
    return bid is not None and _worth_a_calza(state, seat, _heard_odds(state, seat, bid))


def _stake(state: State) -> float:
    return 1 / (len(state.active) - 1)


def _heard_odds(state: State, seat: int, bid: Bid) -> Odds:
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

    The next player has n matching dice with a chance that we know. Given n he sees how likely the
    bid is, and doubts accordingly; and given n we know how likely he is to be right.
    """
    counts = _counts(state, face)
    if not counts:
        return
    palifico = state.palifico is not None
    jokers = jokers_count(face, palifico=palifico)
    heard = times_bid(face, state.bids)
    follower = state.left_of(seat)
    rest, his = [0, 0, 0], [0, 0, 0]
    for other, dice in enumerate(state.dice):
        if other != seat:
            (his if other == follower else rest)[heard.get(other, 0)] += dice
    among_his = matches_among(*his, jokers=jokers)
    among_rest = matches_among(*rest, jokers=jokers)
    unknown_to_him = matches_among(sum(state.dice) - state.dice[follower], 0, 0, jokers=jokers)
    unknown_to_us = matches_among(sum(rest) + sum(his), 0, 0, jokers=jokers)
    mine = matching(state.hand(seat), face, palifico=palifico)
    others = len(state.active) - 1
    for quantity in counts:
        needed = quantity - mine
        grown = needed + round(GROWTH * others)
        escaped = ESCAPE * stake - RETURN * unknown_to_us.at_least(grown)
        worth = 0.0
        for n, share in enumerate(among_his.chances):
            doubt = _doubt(unknown_to_him.at_least(quantity - n))
            if follower in state.gone:
                doubt = 1.0  # nobody is there: the clock says dudo
            true = among_rest.at_least(needed - n)
            worth += share * (doubt * (true * stake - (1 - true)) + (1 - doubt) * escaped)
        yield worth, Bid(quantity, face)
        if unknown_to_us.at_least(needed) < HOPELESS:
            return


def _doubt(plausible: float) -> float:
    """How likely a player doubts a bid that he himself thinks so likely."""
    return 1 / (1 + exp((plausible - DOUBT_AT) / DOUBT_SPREAD))


# --- what they share ------------------------------------------------------------------------------


def _answer(
    state: State,
    seat: int,
    chance: Chance,
    *,
    speak: Callable[[State, int, Chance], Move],
    claim: Callable[[State, int, Chance], bool],
) -> Move | None:
    """What a bot does now: `speak` on its turn, Calza when it may interrupt and `claim` says so."""
    if seat not in to_act(state):
        return None
    if state.phase == "reveal":
        return Confirm()
    if seat in state.gone:
        return timeout_move(state, seat)
    if seat == state.turn:
        return speak(state, seat, chance)
    return Calza() if claim(state, seat, chance) else None


def _may_claim(state: State, seat: int) -> bool:
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
