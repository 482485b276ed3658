"""What each move is worth with two players left, for the review of games."""

from __future__ import annotations

from typing import Final

import numpy as np

from games.perudo.bots.two_left import DUDO, Position, position, rows_after
from games.perudo.bots.two_left_graph import Floats, Ints
from games.perudo.bots.two_left_tables import LEVELS, Rows, Side
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Move
from games.perudo.rules.state import State
from games.perudo.rules.turns import legal_moves

SLIP: Final = 0.02  # how often the other player is taken to have bid anything at all


def values(state: State, seat: int) -> list[tuple[Move, float]] | None:
    """Every legal move of a seat on turn and its probability that the seat does not lose the die.

    None where the tables do not cover the round. The seat's own hand is known; the other's is
    weighed by how likely the table, with SLIP of its moves at random, makes the bids it made.
    After the move both play the table. A bid beyond the dice in play is worth 0: dudo answers it.
    """
    found = position(state, seat)
    if found is None:
        return None
    legal = legal_moves(state, seat)
    likely = others_range(found)
    ours = [move for move in legal if isinstance(move, Bid) and found.possible(move)]
    worth: dict[Move, float] = dict.fromkeys(legal, 0.0)
    for bid, value in _after(found, ours).items():
        worth[bid] = float(value @ likely)
    if found.bids:
        worth[DUDO] = float((1 - _true(found, found.bids[-1])) @ likely)
    return list(worth.items())


def others_range(position: Position) -> Floats:
    """How likely each hand of the other player is after its bids; sums to 1."""
    other = 1 - position.player
    side, graph = position.table.sides[other], position.table.graph
    weight = position.table.hands[other].chance.copy()
    for at in range(other, len(position.bids), 2):
        before, bid = position.bids[:at], position.bids[at]
        if not all(position.possible(each) for each in (*before[-1:], bid)):
            continue  # the table never makes such a bid, so it says nothing of the hand
        start = graph.first[graph.number[before[-1] if before else None]]
        moves = graph.first[graph.number[before[-1] if before else None] + 1] - start + bool(before)
        move = graph.arrow(before[-1] if before else None, bid) - start + 1
        made = _share(side, rows_after(position, side, before), int(move))
        weight *= (1 - SLIP) * made + SLIP / moves
    likely: Floats = weight / weight.sum()
    return likely


def _share(side: Side, rows: Rows, move: int) -> Floats:
    """How likely each of these rows makes a move."""
    owner, entry = _entries(side, rows)
    made = side.units[entry] / LEVELS * (side.move[entry] == move)
    return np.bincount(owner, made, len(rows)).astype(float)


def _entries(side: Side, rows: Rows) -> tuple[Ints, Ints]:
    """The entries of many rows: to which of them each belongs, and its place in the table."""
    start = side.start[rows]
    count = side.start[rows + 1] - start
    owner = np.repeat(np.arange(len(rows)), count)
    return owner, np.arange(len(owner)) + np.repeat(start - np.cumsum(count) + count, count)


def _true(position: Position, bid: Bid) -> Floats:
    """For each hand of the other player, 1 where the bid is true and 0 where it is not."""
    mine, theirs = position.table.hands[position.player], position.table.hands[1 - position.player]
    held = mine.matches[bid.face, position.own]
    true: Floats = (theirs.matches[bid.face] + held >= bid.quantity).astype(float)
    return true


def _after(position: Position, ours: list[Bid]) -> dict[Bid, Floats]:
    """What each of these bids is worth against each hand of the other player.

    From the highest bid down: what follows a bid is known before those that lead to it. Of each
    state after our bids there is a row with the other to move, and one with us to move.
    """
    graph, me = position.table.graph, position.player
    mine, theirs = position.table.sides[me], position.table.sides[1 - me]
    hands = len(position.table.hands[1 - me])
    our_move = np.zeros((graph.arrows, hands))
    their_move = np.zeros((graph.arrows, hands))
    worth: dict[Bid, Floats] = {}
    lowest = min((graph.number[bid] for bid in ours), default=len(graph.bids))
    wanted = set(ours)
    for number in range(len(graph.bids) - 1, lowest - 1, -1):
        bid = graph.bids[number]
        assert bid is not None  # noqa: S101
        true = _true(position, bid)
        onward = slice(graph.first[number], graph.first[number + 1])
        here = np.flatnonzero((graph.target == number) & (graph.source >= lowest))
        to_us = here[graph.reached[me, here]]
        if len(to_us):
            best = _dense(mine, mine.row[to_us, position.own], onward.stop - onward.start)
            our_move[to_us] = best @ np.vstack([1 - true, their_move[onward]])
        to_them = here[graph.reached[1 - me, here]]
        rows = theirs.row[to_them]
        if bid in wanted:
            rows = np.vstack([rows, rows_after(position, theirs, (*position.bids[-1:], bid))])
        if len(rows):
            reply = _replies(theirs, rows, np.vstack([true, our_move[onward]]))
            their_move[to_them] = reply[: len(to_them)]
            if bid in wanted:
                worth[bid] = reply[-1]
    return worth


def _dense(side: Side, rows: Rows, bids: int) -> Floats:
    """The probabilities of these rows, dudo first."""
    owner, entry = _entries(side, rows)
    dense = np.zeros((len(rows), bids + 1))
    dense[owner, side.move[entry]] = side.units[entry] / LEVELS
    return dense


def _replies(side: Side, rows: Rows, worth: Floats) -> Floats:
    """What a reply by these rows [state, hand] is worth, where `worth` is by move and hand."""
    owner, entry = _entries(side, rows.ravel())
    gained = side.units[entry] / LEVELS * worth[side.move[entry], owner % rows.shape[1]]
    return np.bincount(owner, gained, rows.size).astype(float).reshape(rows.shape)
