"""The shipped tables for two players left: how they are stored, and reading them when needed.

`two_left.npz` is an archive of numpy arrays, compressed with LZMA. Of each round it has four, in
which the opener's come before the other player's:

- `kept`: a bit for each key and hand, whether its row is stored. The keys of a player are first
  the bids as the last bid alone (number 0: no bid yet), then the arrows; only those are counted
  after which the player can be to move.
- `count`: of each row, how many moves have a probability.
- `move`: these moves, 0 for dudo and k + 1 for the k-th bid over the last one.
- `weight`: their probabilities but for the row's last, in units of 1 / LEVELS.

Where the row of the last two bids is not stored, that of the last bid alone is played.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from games.perudo.bots.two_left_graph import ROOT, Graph, Hands, Ints, Round, graph, hands

FILE: Final = Path(__file__).with_name("two_left.npz")
VERSION: Final = 1
LEVELS: Final = 100
PARTS: Final = ("kept", "count", "move", "weight")

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.int32]  # small: all rounds together stay in memory


@dataclass(frozen=True)
class Side:
    """The strategies of one player of a round, row by row.

    `row[arrow, hand]` is the row after an arrow, `alone[bid, hand]` that of a last bid alone. The
    moves of row r are `move[start[r]:start[r + 1]]` with the probabilities `units / LEVELS` there.
    """

    row: Rows
    alone: Rows
    start: Rows
    move: Bytes
    units: Bytes


@dataclass(frozen=True)
class Table:
    """Both players' strategies of a round, its graph and the hands of each player."""

    graph: Graph
    hands: tuple[Hands, Hands]
    sides: tuple[Side, Side]


def keys(graph: Graph, player: int) -> tuple[Bools, Bools]:
    """The last bids and the arrows after which a player can be to move."""
    arrows = graph.reached[player, : graph.arrows]
    bids = np.zeros(len(graph.bids), bool)
    bids[graph.target[arrows]] = True
    bids[ROOT] = player == 0
    return bids, arrows


@cache
def table(round_: Round, file: Path = FILE) -> Table:
    """The strategies of a round, read from the file once."""
    with np.load(file) as archive:
        return unpack(round_, {part: archive[f"{round_}.{part}"] for part in PARTS})


def unpack(round_: Round, parts: Mapping[str, Bytes]) -> Table:
    """The strategies of a round from its four arrays."""
    drawn = graph(round_.total, round_.palifico)
    held = (hands(round_.opener, round_.palifico), hands(round_.other, round_.palifico))
    sides = []
    bits = np.unpackbits(parts["kept"]).astype(bool)
    count = parts["count"].astype(np.int64)
    ends = np.cumsum(count)
    units = _units(count, ends, parts["weight"])
    start = np.append(0, ends).astype(np.int32)
    used = rows = 0
    for player in (0, 1):
        bids, arrows = keys(drawn, player)
        shape = (int(bids.sum() + arrows.sum()), len(held[player]))
        kept = bits[used : used + shape[0] * shape[1]].reshape(shape)
        number = np.where(kept, rows + np.cumsum(kept).reshape(shape) - 1, -1).astype(np.int32)
        used, rows = used + kept.size, rows + int(kept.sum())
        alone = np.full((len(bids), shape[1]), -1, np.int32)
        alone[bids] = number[: bids.sum()]
        row = np.full((len(arrows), shape[1]), -1, np.int32)
        row[arrows] = number[bids.sum() :]
        row = np.where(row < 0, alone[drawn.target], row)
        sides.append(Side(row, alone, start, parts["move"], units))
    return Table(drawn, held, (sides[0], sides[1]))


def _units(count: Ints, ends: Ints, weight: Bytes) -> Bytes:
    """All probabilities, in units; the last of each row is what the others leave."""
    last = np.zeros(int(ends[-1]), bool)
    last[ends - 1] = True
    units = np.zeros(len(last), np.uint8)
    units[~last] = weight
    units[last] = LEVELS - np.add.reduceat(units, ends - count)
    return units


def about(file: Path = FILE) -> dict[str, Any]:
    """What the file says of itself: version, command, checksum, and of each round its `value`.

    The value is the probability that the opener does not lose the die.
    """
    with np.load(file) as archive:
        told: dict[str, Any] = json.loads(archive["about"].tobytes())
    return told


def checksum(arrays: Iterable[tuple[str, Bytes]]) -> str:
    """The SHA-256 of arrays with their names, in order."""
    each = (f"{name} {array.size}\n".encode() + array.tobytes() for name, array in arrays)
    return hashlib.sha256(b"".join(each)).hexdigest()


def stored(file: Path = FILE) -> dict[str, Bytes]:
    """All arrays of the file but what it says of itself."""
    with np.load(file) as archive:
        return {name: archive[name] for name in archive.files if name != "about"}
