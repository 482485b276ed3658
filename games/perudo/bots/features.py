"""What the network of the best bot is told: a position as a seat knows it, and the moves in it.

Everything is computed for several hands at once that the seat could hold, so that a review can ask
what another roll would have been worth. Hands are arrays (hands, 7) of how many dice show each
face, place 0 unused. Only public facts and these hands are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.perudo.rules.bids import DICE_EACH, FACES, PACO, Bid, counts_by_face
from games.perudo.rules.calza import why_no_calza
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.odds import matches_among
from games.perudo.rules.state import State

OF_STATE: Final = 57
OF_MOVE: Final = 26
SEATS: Final = 6
OUTCOMES: Final = 13  # places 0-5 from the mover: who loses a die; 6-11: who regains one; nobody
HOPELESS: Final = 0.02  # bids above the smallest on a face that look less likely are not weighed
DOUBTS: Final = (0.3, 0.45)  # the next player may doubt a bid that looks less likely to them
MOST_DICE: Final = 30
ZERO: Final = 32  # the place of k = 0 in arrays of odds, which begin at fewer than none
PLACES: Final = 96
PASS: Final = None  # out of turn: not to call calza

Array = NDArray[Any]
Choice = Move | None


@cache
def plain_odds() -> tuple[Array, Array]:
    """P(at least k) and P(exactly k) of n unknown dice: arrays (wild, n, ZERO + k)."""
    exact = np.zeros((2, MOST_DICE + 1, PLACES))
    for wild, chance in enumerate((1 / 6, 1 / 3)):
        for dice in range(MOST_DICE + 1):
            for k in range(dice + 1):
                exact[wild, dice, ZERO + k] = comb(dice, k) * chance**k * (1 - chance) ** (dice - k)
    tails = exact[..., ::-1].cumsum(axis=-1)[..., ::-1]
    return tails.astype(np.float32), exact.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Position:
    """What everybody knows of a round, as seen from one seat: places count clockwise from it."""

    seat: int
    seats: tuple[int, ...]  # that have dice, by place
    dice: tuple[int, ...]  # by place
    times: tuple[tuple[int, ...], ...]  # by place and face: how often it was bid
    last: Bid | None
    bidder: int  # a place; 0: nobody
    turn: int  # a place
    bids: int
    palifico: bool
    opened: bool  # whether this seat opened the round
    calza: bool
    interrupts: bool  # whether calza may be called out of turn
    may_call: bool
    any_face: bool
    most: int
    informed: tuple[tuple[Array, Array], ...]  # by face: P(at least k), P(exactly k), given bids

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def total(self) -> int:
        return sum(self.dice)


def position(state: State, seat: int) -> Position:
    """The round as a seat sees it; only public facts of `state` are read."""
    options, number = state.options, state.seats
    seats = tuple(
        (seat + step) % number for step in range(number) if state.dice[(seat + step) % number]
    )
    place = {each: index for index, each in enumerate(seats)}
    times = [[0] * 7 for _ in seats]
    for bidder, bid in state.bids:
        times[place[bidder]][bid.face] += 1
    dice = tuple(state.dice[each] for each in seats)
    palifico = state.palifico is not None
    return Position(
        seat=seat,
        seats=seats,
        dice=dice,
        times=tuple(tuple(each) for each in times),
        last=state.last_bid,
        bidder=0 if state.bidder is None else place[state.bidder],
        turn=place[state.turn],
        bids=len(state.bids),
        palifico=palifico,
        opened=state.opener == seat,
        calza=options.calza == "on",
        interrupts=options.calza == "on" and options.calza_who != "current_only",
        may_call=why_no_calza(state, seat) is None,
        any_face=options.raise_rule == "any_face_if_more",
        most=state.most,
        informed=tuple(_informed(dice, times, face, palifico) for face in range(7)),
    )


def _informed(
    dice: Sequence[int], times: Sequence[Sequence[int]], face: int, palifico: bool
) -> tuple[Array, Array]:
    levels = [0, 0, 0]
    for own, bids in zip(dice[1:], times[1:], strict=True):
        levels[min(bids[face], 2)] += own
    return _padded(*levels, face not in (0, PACO) and not palifico)


@cache
def _padded(never: int, once: int, often: int, wild: bool) -> tuple[Array, Array]:
    found = matches_among(never, once, often, wild=wild)
    arrays = np.zeros((2, PLACES), np.float32)
    arrays[0, :ZERO] = 1
    arrays[0, ZERO : ZERO + len(found.tails)] = found.tails
    arrays[1, ZERO : ZERO + len(found.chances)] = found.chances
    return arrays[0], arrays[1]


def counts_of(hand: Sequence[int]) -> Array:
    """A hand as an array (1, 7)."""
    counts = np.zeros((1, 7), np.int64)
    for die in hand:
        counts[0, die] += 1
    return counts


def held_by(hands: Array, palifico: bool) -> Array:
    """How many dice of each hand count for a bid on each face (P12): an array (hands, 7)."""
    held = hands.copy()
    if not palifico:
        held[:, 2:] += hands[:, 1:2]
    return held


def choices(state: State, seat: int, hand: Sequence[int]) -> list[Choice]:
    """What the seat weighs with this hand: each move but bids that are nearly impossible."""
    if state.turn != seat:
        return [Calza(), PASS]
    found: list[Choice] = []
    if state.bids:
        found.append(Dudo())
        if why_no_calza(state, seat) is None:
            found.append(Calza())
    palifico = state.palifico is not None
    tails, _ = plain_odds()
    unknown = sum(state.dice) - len(hand)
    counts = counts_by_face(
        state.last_bid, options=state.options, palifico=palifico, most=state.most
    )
    pacos = hand.count(PACO)
    for face in FACES:
        wild = face != PACO and not palifico
        held = hand.count(face) + (pacos if wild else 0)
        for quantity in counts[face]:
            likely = tails[int(wild), unknown, ZERO + quantity - held]
            if quantity > counts[face][0] and likely < HOPELESS:
                break
            found.append(Bid(quantity, face))
    return found


def choices_of_any(state: State, seat: int) -> list[Choice]:
    """What the seat weighs with any hand of as many dice: each of these moves with one at least."""
    # A hand of pacos alone has the most of every face while they are wild.
    most = FACES if state.palifico is not None else [PACO]
    every = (choices(state, seat, (face,) * state.dice[seat]) for face in most)
    return list(dict.fromkeys(move for some in every for move in some))


def of_state(p: Position, hands: Array) -> Array:
    """The features of a position with each hand: an array (hands, OF_STATE)."""
    tails, exact = plain_odds()
    s = np.zeros((len(hands), OF_STATE), np.float32)
    own, total, n = p.dice[0], p.total, p.players
    held = held_by(hands, p.palifico)
    s[:, :6] = hands[:, 1:] / 5
    s[:, 4 + n] = 1
    s[:, 11] = own / 5
    s[:, 12] = own == 1
    s[:, 13 : 12 + n] = np.array(p.dice[1:]) / 5
    s[:, 18] = total / 30
    s[:, 19] = p.palifico
    s[:, 20] = p.palifico and p.opened
    if p.last is not None:
        quantity, face = p.last.quantity, p.last.face
        wild = int(face != PACO and not p.palifico)
        raw, unknown = quantity - held[:, face], total - own
        k = ZERO + raw
        s[:, 21] = 1
        s[:, 22] = min(quantity / total, 1.5)
        s[:, 23] = face == PACO
        s[:, 24] = face / 6
        s[:, 25] = tails[wild, unknown, k]
        s[:, 26] = exact[wild, unknown, k]
        s[:, 27] = p.informed[face][0][k]
        s[:, 28] = p.informed[face][1][k]
        s[:, 29] = tails[wild, total, ZERO + quantity]
        s[:, 30] = _surprise(raw, unknown, wild)
        for place in range(1, n):
            s[:, 30 + place] = min(p.times[place][face], 2) / 2
        if p.bidder:
            s[:, 43 + p.bidder] = 1
        s[:, 49] = p.turn / 5
        s[:, 36] = min(p.times[0][face], 2) / 2
    s[:, 37] = min(p.bids, 12) / 12
    s[:, 38] = p.calza
    s[:, 39] = p.may_call
    s[:, 40] = own < DICE_EACH
    s[:, 41] = p.interrupts
    s[:, 42] = p.turn == 0
    s[:, 43] = p.any_face
    s[:, 50:56] = np.array([_evidence(p, face) for face in FACES])
    s[:, 56] = held[:, 2:].max(axis=1) / 5
    return s


def _evidence(p: Position, face: int) -> float:
    weighed = zip(p.dice[1:], p.times[1:], strict=True)
    return sum(dice * min(times[face], 2) for dice, times in weighed) / 20


def _surprise(needed: Array | int, unknown: int, wild: int | Array) -> Array:
    """How far the number needed is above what is to be expected, in a third of deviations."""
    chance = np.where(wild, 1 / 3, 1 / 6)
    far = (needed - unknown * chance) / (3 * np.sqrt(unknown * chance * (1 - chance) + 0.3))
    surprise: Array = np.minimum(np.maximum(far, -2), 2)
    return surprise


def of_moves(p: Position, hands: Array, moves: Sequence[Choice], least: Array) -> Array:
    """The features of moves with each hand: an array (hands, moves, OF_MOVE).

    `least` is the smallest number that may be bid, by face.
    """
    c = np.zeros((len(hands), len(moves), OF_MOVE), np.float32)
    bids = []
    for index, move in enumerate(moves):
        if isinstance(move, Bid):
            bids.append((index, move.quantity, move.face))
        else:
            c[:, index, 0 if isinstance(move, Dudo) else 1 if isinstance(move, Calza) else 2] = 1
    if bids:
        index, quantity, face = np.array(bids).T
        c[:, index] = _of_bids(p, hands, quantity, face, least[face])
    return c


def _of_bids(p: Position, hands: Array, quantity: Array, face: Array, least: Array) -> Array:
    tails, exact = plain_odds()
    own, total = p.dice[0], p.total
    unknown = total - own
    wild = ((face != PACO) & (not p.palifico)).astype(np.int64)
    held = held_by(hands, p.palifico)[:, face]
    raw = quantity - held
    k = ZERO + raw
    tails_by = np.stack([each[0] for each in p.informed])
    last = p.last.face if p.last else 0
    c = np.zeros((*held.shape, OF_MOVE), np.float32)
    c[..., 3] = 1
    c[..., 4] = np.minimum(quantity / total, 1.5)
    c[..., 5] = face == PACO
    c[..., 6] = face / 6
    c[..., 7] = held / 5
    c[..., 8] = hands[:, face] / 5
    c[..., 9] = tails[wild, unknown, k]
    c[..., 10] = exact[wild, unknown, k]
    c[..., 11] = tails_by[face, k]
    c[..., 12] = tails[wild, total, ZERO + quantity]
    c[..., 13] = _surprise(raw, unknown, wild)
    theirs = p.dice[1]
    for has in range(theirs + 1):
        share = exact[wild, theirs, ZERO + has]
        seen = tails[wild, total - theirs, ZERO + quantity - has]
        both = share * (1 - tails[wild, unknown - theirs, k - has])
        for which, limit in enumerate(DOUBTS):
            doubts = seen < limit
            c[..., 14 + 2 * which] += share * doubts
            c[..., 15 + 2 * which] += both * doubts
    times = np.minimum(np.array(p.times), 2)
    c[..., 18] = times[1, face] / 2
    c[..., 19] = times[0, face] / 2
    c[..., 20] = (np.array(p.dice[1:]) @ times[1:])[face] / 20
    c[..., 21] = quantity == least
    c[..., 22] = np.minimum((quantity - least) / 5, 1)
    c[..., 23] = face == last
    c[..., 24] = (p.most - quantity) / 30
    c[..., 25] = tails[wild, unknown, k + 1]
    return c


def masks(p: Position, moves: Sequence[Choice]) -> Array:
    """Which outcomes may follow each move: an array (moves, OUTCOMES) of booleans."""
    found = np.zeros((len(moves), OUTCOMES), bool)
    for row, move in zip(found, moves, strict=True):
        if isinstance(move, Dudo):
            row[[0, p.bidder]] = True
        elif isinstance(move, Calza):
            row[[0, SEATS if p.dice[0] < DICE_EACH else 2 * SEATS]] = True
        else:
            row[: p.players] = True
            if p.calza:
                row[SEATS : SEATS + p.players] = np.array(p.dice) < DICE_EACH
                row[2 * SEATS] = True
    return found


def settled(p: Position, hands: Array, moves: Sequence[Choice]) -> Iterator[tuple[Array, int, int]]:
    """The calls whose outcome a seat knows by its own dice: for which hands (a mask), the number of
    the move, and the outcome.

    They make the bid true or more than true, or so many are missing that no dice make it true. A
    calza is never certain, as somebody else always has a die.
    """
    if p.last is None:
        return
    needed = p.last.quantity - held_by(hands, p.palifico)[:, p.last.face]
    impossible = needed > p.total - p.dice[0]
    for number, move in enumerate(moves):
        if isinstance(move, Dudo):
            yield needed <= 0, number, 0
            yield impossible, number, p.bidder
        elif isinstance(move, Calza):
            yield impossible | (needed < 0), number, 0
