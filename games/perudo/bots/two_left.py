"""Two players left: mixed strategies and chances from the tables of `two_left.npz`.

A round between two without calza is a game for one die: what one wins the other loses, whatever
comes later. The tables are near its equilibrium for the rules as printed (P10, P13, P27). They are
read when first used. The probabilities of a seat follow from its own hand and public facts alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from games.perudo.bots.two_left_graph import ROOT, Round
from games.perudo.bots.two_left_tables import FILE, LEVELS, Rows, Side, Table, about, table
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Dudo, Move
from games.perudo.rules.state import State

DUDO: Final = Dudo()


@dataclass(frozen=True)
class Position:
    """A decision that the tables cover, as the seat to move knows it; player 0 opened the round."""

    round: Round
    player: int
    hand: tuple[int, ...]
    bids: tuple[Bid, ...]

    @cached_property
    def table(self) -> Table:
        return table(self.round)

    @property
    def own(self) -> int:
        """The number of the seat's hand."""
        return self.table.hands[self.player].number[self.hand]

    def possible(self, bid: Bid) -> bool:
        """Whether there are so many dice in play."""
        return bid.quantity <= self.round.total


def position(state: State, seat: int) -> Position | None:
    """The decision of a seat, if it is its turn and the tables cover the round.

    They do with two players left who both stay, no calza to fear (P38), raises as printed, and in a
    palifico round the pacos free to open on.
    """
    options, palifico = state.options, state.palifico
    opener = state.bids[0][0] if state.bids else state.turn
    if (
        state.phase != "turn"
        or seat != state.turn
        or len(state.active) != 2
        or seat not in state.active
        or set(state.gone) & set(state.active)
        or (options.calza == "on" and options.calza_min_players == 2)
        or opener not in state.active
    ):
        return None
    other = next(each for each in state.active if each != opener)
    if palifico is None:
        if options.raise_rule != "one_only":
            return None
    elif palifico != opener or state.dice[opener] != 1 or options.paco_opening == "never":
        return None
    round_ = Round(state.dice[opener], state.dice[other], palifico is not None)
    hand = tuple(sorted(state.hand(seat)))
    return Position(round_, int(seat != opener), hand, tuple(bid for _, bid in state.bids))


def strategy(state: State, seat: int) -> list[tuple[Move, float]] | None:
    """The moves that the table makes here and how likely each is; None where it covers nothing.

    It goes by the last two bids, or by the last alone where the table never gets to both. A bid
    beyond the dice in play is answered with dudo.
    """
    found = position(state, seat)
    return None if found is None else mixed(found)


def mixed(position: Position) -> list[tuple[Move, float]]:
    """The moves of the table in a position it covers, and their probabilities; they sum to 1."""
    if position.bids and not position.possible(position.bids[-1]):
        return [(DUDO, 1.0)]
    graph, side = position.table.graph, position.table.sides[position.player]
    row = rows_after(position, side, position.bids)[position.own]
    few = slice(side.start[row], side.start[row + 1])
    chances = (side.units[few] / LEVELS).tolist()
    last = graph.number[position.bids[-1]] if position.bids else ROOT
    over = graph.first[last] - 1
    return [
        (_move(position.table, over + move, dudo=move == 0), chance)
        for move, chance in zip(side.move[few].tolist(), chances, strict=True)
    ]


def rows_after(position: Position, side: Side, bids: tuple[Bid, ...]) -> Rows:
    """For each hand of a player, its row after these bids; the last of them must be possible."""
    graph = position.table.graph
    before = bids[-2] if len(bids) > 1 else None
    rows: Rows
    if not bids:
        rows = side.alone[ROOT]
    elif before is None or position.possible(before):
        rows = side.row[graph.arrow(before, bids[-1])]
    else:
        rows = side.alone[graph.number[bids[-1]]]
    return rows


def _move(table: Table, arrow: int, *, dudo: bool) -> Move:
    bid = None if dudo else table.graph.bids[table.graph.target[arrow]]
    return bid or DUDO


# --- chances --------------------------------------------------------------------------------------


@cache
def _round_values() -> dict[str, float]:
    return {name: told["value"] for name, told in about(FILE)["rounds"].items()}


def round_value(opener_dice: int, other_dice: int, palifico: bool = False) -> float:
    """The probability that who opens a round between two does not lose the die (1 to 5 dice).

    `palifico`: it is the opener's palifico round, who then has one die. KeyError for others.
    """
    return _round_values()[str(Round(opener_dice, other_dice, palifico))]


def chance_to_win(mine: int, others: int, opener_is_me: bool, palifico: bool = False) -> float:
    """The chance to win a match of two at the beginning of a round, by dice (0 to 5).

    The loser of a die opens (P22), a palifico round where two dice became one (P23, P24, P29,
    P30). Both play the tables.
    """
    if opener_is_me:
        return _opener_wins(mine, others, palifico)
    return 1 - _opener_wins(others, mine, palifico)


@cache
def _opener_wins(opener: int, other: int, palifico: bool) -> float:
    if not opener or not other:
        return float(not other)
    kept = round_value(opener, other, palifico)
    then = 1 - _opener_wins(other - 1, opener, other == 2)
    return kept * then + (1 - kept) * _opener_wins(opener - 1, other, opener == 2)
