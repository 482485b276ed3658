"""What every move of a decision was worth, by what its seat knew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from games.perudo.bots import features, network, two_left, two_left_values
from games.perudo.bots.features import Array, Choice
from games.perudo.review import chances
from games.perudo.review.styles import Bidders, Expected, all_rolls, expected
from games.perudo.rules.bids import FACES, Bid, counts_by_face, matching
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.odds import odds
from games.perudo.rules.state import State

SAMPLED: Final = 4  # of so many dice and more, rolls are sampled
ROLLS: Final = 24
OPENINGS: Final = (6, 5, 4, 3)  # a roll is weighed with bids of one die in so many of a face


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A decision: its moves, and of each the value in dice, all seats' chances, and its odds.

    `ends`: how likely each move ends the round in each way, see `outcomes`; the first column is
    that this seat loses a die, the second that the next one does. `odds`: how likely a bid is true
    or a call right by the seat's own dice alone, and `after` by the bids of the round too.
    """

    seat: int
    moves: tuple[Choice, ...]
    played: int
    values: Array  # (moves,)
    chances: Array  # (moves, seats)
    ends: Array  # (moves, OUTCOMES)
    odds: tuple[float | None, ...]
    after: tuple[float | None, ...]

    @property
    def best(self) -> int:
        """The move that is worth most in dice."""
        return int(self.values.argmax())

    @property
    def regret(self) -> float:
        """How much less the move was worth than the best, in dice."""
        return float(self.values.max() - self.values[self.played])

    @property
    def cost(self) -> float:
        """How much less it was worth than that same move in chances of its seat; never below 0."""
        best, played = self.chances[[self.best, self.played], self.seat]
        return max(0.0, float(best - played))

    @property
    def effect(self) -> Array:
        """What the move changed in chances: its cost for its seat, and that for the others.

        It is shared among those whose chances it raised. What a choice between equals moves from
        one of the others to another is nobody's error, and left out.
        """
        raised = np.maximum(self.chances[self.played] - self.chances[self.best], 0.0)
        raised[self.seat] = 0.0
        effect = self.cost * raised / (raised.sum() or 1.0)
        effect[self.seat] = -self.cost
        return np.asarray(effect)

    @property
    def forced(self) -> bool:
        return len(self.moves) == 1


def judge(state: State, seat: int, played: Choice, bidders: Bidders | None = None) -> Judged:
    """Judge the move of a seat. Of `state` only public facts and the hand of that seat are read.

    `bidders`: how the people at the table bid, as far as that is known.
    """
    moves = features.choices(state, seat, state.hand(seat))
    if played not in moves:
        moves.append(played)
    p, believed = features.position(state, seat), expected(state, seat, bidders or {})
    found = _as_believed(state, seat, moves, believed)
    return Judged(
        seat=seat,
        moves=tuple(moves),
        played=moves.index(played),
        values=found @ network.worth(p.players),
        chances=found @ chances.after(p, state.dice),
        ends=found,
        odds=tuple(plain_odds(state, seat, move) for move in moves),
        after=tuple(
            # A call ends the round: its seat loses a die exactly if it is wrong (P20, P34).
            1 - float(ends[0]) if isinstance(move, Dudo | Calza) else _true(move, believed)
            for move, ends in zip(moves, found, strict=True)
        ),
    )


def _true(move: Choice, believed: Mapping[int, Expected]) -> float | None:
    return believed[move.face].true(move) if isinstance(move, Bid) else None


def outcomes(state: State, seat: int, moves: Sequence[Choice]) -> Array:
    """How likely each move of a seat ends the round in each way: an array (moves, OUTCOMES)."""
    found = _of_two(state, seat, moves)
    if found is None:
        p, hand = features.position(state, seat), features.counts_of(state.hand(seat))
        [found] = network.network().outcomes(p, hand, moves, network.smallest(state))
    return found


def _as_believed(
    state: State, seat: int, moves: Sequence[Choice], believed: Mapping[int, Expected]
) -> Array:
    """The outcomes of moves, where a call is right as often as its bid is believed to allow it."""
    found = outcomes(state, seat, moves)
    if two_left.position(state, seat) is not None:  # the tables weigh the other's hands themselves
        return found
    for move, ends in zip(moves, found, strict=True):
        if isinstance(move, Dudo | Calza):
            _call(ends, _right(state, move, believed))
    return found


def _right(state: State, call: Dudo | Calza, believed: Mapping[int, Expected]) -> float:
    """How likely a call is right."""
    bid = state.last_bid
    assert bid is not None  # noqa: S101  # nobody could call
    about = believed[bid.face]
    return 1 - about.true(bid) if isinstance(call, Dudo) else about.exact(bid)


def _call(ends: Array, right: float) -> None:
    """Let a call fail, the first outcome, exactly as often as it is not right."""
    if others := ends[1:].sum():
        ends[1:] *= right / others
        ends[0] = 1 - right


def _of_two(state: State, seat: int, moves: Sequence[Choice]) -> Array | None:
    """The outcomes of moves by the tables for two players left; None where these do not hold."""
    kept = two_left_values.values(state, seat)
    if kept is None:
        return None
    by_move = dict(kept)
    found = np.zeros((len(moves), features.OUTCOMES))
    found[:, 1] = [by_move[move] for move in moves if move is not None]
    found[:, 0] = 1 - found[:, 1]
    return found


def plain_odds(state: State, seat: int, move: Choice) -> float | None:
    """How likely a bid is true, a doubt right or a calza exact, by the seat's own dice."""
    bid = move if isinstance(move, Bid) else state.last_bid
    if move is None or bid is None:
        return None
    palifico = state.palifico is not None
    found = odds(bid, dice=sum(state.dice), hand=state.hand(seat), palifico=palifico)
    if isinstance(move, Dudo):
        return 1 - found.true
    return found.exact if isinstance(move, Calza) else found.true


def needed(state: State, seat: int, bid: Bid) -> tuple[int, int]:
    """How many dice the seat could not see, and how many of them a bid needs to be true."""
    hand = state.hand(seat)
    held = matching(hand, bid.face, palifico=state.palifico is not None)
    return sum(state.dice) - len(hand), max(bid.quantity - held, 0)


# --- rolls ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """What the dice of a seat did as it first decides in a round.

    `before`: the chances of all seats as they were for it before it saw its dice. `luck`: what
    these dice changed for it; over many rounds the mean is 0.
    """

    before: Array
    luck: float


def roll_of(state: State, judged: Judged, seed: Sequence[int]) -> Roll:
    """The roll of the seat that was judged in this state.

    The best move's chances with these dice, less their mean over all rolls; the same few moves are
    weighed with every roll. Who opens between two has the chances of the tables.
    """
    seat = judged.seat
    two = two_left.position(state, seat)
    if two is not None and not two.bids:
        kept = two_left.round_value(*two.round.dice, two.round.palifico)
        ends = np.zeros(features.OUTCOMES)
        ends[:2] = 1 - kept, kept
        before = ends @ chances.after(features.position(state, seat), state.dice)
        return Roll(before, float(judged.chances[judged.best, seat] - before[seat]))
    moves = _usual_moves(state)
    p = features.position(state, seat)
    hands, weights = rolls(state.dice[seat], seed)
    own = features.counts_of(state.hand(seat))
    found = network.network().outcomes(
        p, np.concatenate([own, hands]), moves, network.smallest(state)
    )
    best = (found @ network.worth(p.players)).argmax(axis=1)
    by_roll = found[np.arange(len(found)), best] @ chances.after(p, state.dice)
    before = weights @ by_roll[1:]
    return Roll(before, float(by_roll[0, seat] - before[seat]))


def _usual_moves(state: State) -> list[Choice]:
    """A few moves by what is public, so that each roll chooses from the same."""
    palifico = state.palifico is not None
    counts = counts_by_face(
        state.last_bid, options=state.options, palifico=palifico, most=state.most
    )
    moves: list[Choice] = [Dudo()] if state.bids else []
    for face in FACES:
        legal = counts[face]
        if state.bids:
            moves += [Bid(quantity, face) for quantity in legal[:2]]
        elif legal:
            usual = {max(1, round(sum(state.dice) / each)) for each in OPENINGS}
            moves += [Bid(quantity, face) for quantity in sorted(usual) if quantity in legal]
    return moves


def rolls(dice: int, seed: Sequence[int]) -> tuple[Array, Array]:
    """Rolls of so many dice as arrays of counts (rolls, 7), and their weights, which add up to 1.

    All of them, or where these are many, some that are drawn by the seed.
    """
    if dice < SAMPLED:
        return all_rolls(dice)
    drawn = np.random.default_rng(seed).integers(1, 7, size=(ROLLS, dice))
    counts = (drawn[:, :, None] == np.arange(7)).sum(axis=1)
    return counts, np.full(ROLLS, 1 / ROLLS)
