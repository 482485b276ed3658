"""From average strategies to the compressed tables of `games/perudo/bots/two_left_tables.py`."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from games.perudo.bots.two_left_graph import Floats, Graph, Ints, Round, graph, hands
from games.perudo.bots.two_left_tables import LEVELS, VERSION, Bools, Bytes, checksum, keys

TINY = 0.01  # probabilities below it are left out
RARE = 0.0002  # states to which one's own strategy gets less often are left out
NEAR = 0.01  # a row that moves so little probability against the last bid alone is left out


def pack(round_: Round, averages: Sequence[Sequence[Floats]]) -> dict[str, Bytes]:
    """The four arrays of a round. `averages[player][state]` is [move, hand], moves as in the graph,
    dudo last; the last state is the one before the first bid; None where not to move."""
    kept, units = [], []
    drawn = graph(round_.total, round_.palifico)
    for player in (0, 1):
        held = len(hands(round_.dice[player], round_.palifico))
        for keep, rows in _rows(drawn, player, averages[player], held):
            kept.append(keep)
            units += [row for row, wanted in zip(rows.T, keep, strict=True) if wanted]
    count = [np.count_nonzero(row) for row in units]
    moves = [np.flatnonzero(row) for row in units]
    weights = [row[at[:-1]] for row, at in zip(units, moves, strict=True)]
    return {
        "kept": np.packbits(np.concatenate(kept)),
        "count": np.array(count, np.uint8),
        "move": np.concatenate(moves).astype(np.uint8),
        "weight": np.concatenate(weights).astype(np.uint8),
    }


def _rows(
    drawn: Graph, player: int, averages: Sequence[Floats], held: int
) -> list[tuple[Bools, Ints]]:
    """Of each key, which hands have a row of their own, and the rows in units, dudo first."""
    bids, arrows = keys(drawn, player)
    alone: dict[int, Ints] = {}
    for bid in np.flatnonzero(bids).tolist():
        into = np.flatnonzero((drawn.target == bid) & arrows).tolist() if bid else [drawn.arrows]
        together = np.sum([averages[state] for state in into], axis=0)
        alone[bid] = _in_units(together, dudo=bool(bid))
    rows = [(np.ones(held, bool), row) for row in alone.values()]
    often = _own_reach(drawn, player, averages, held)
    for arrow in np.flatnonzero(arrows).tolist():
        row = _in_units(averages[arrow], dudo=True)
        apart = np.abs(row - alone[int(drawn.target[arrow])]).sum(axis=0) / (2 * LEVELS)
        rows.append(((often[arrow] >= RARE) & (apart > NEAR), row))
    return rows


def probabilities(average: Floats) -> Floats:
    """[move, hand] in proportion to a sum of strategies, without the tiny ones."""
    share = average / average.sum(axis=0)
    share[share < TINY] = 0
    normal: Floats = share / share.sum(axis=0)
    return normal


def _in_units(average: Floats, *, dudo: bool) -> Ints:
    """Probabilities as whole units that sum to LEVELS, by largest remainder, dudo first."""
    exact = probabilities(average) * LEVELS
    units = np.floor(exact).astype(np.int64)
    rest = exact - units
    order = np.argsort(-rest, axis=0, kind="stable")
    rank = np.argsort(order, axis=0, kind="stable")
    units += rank < LEVELS - units.sum(axis=0)
    if dudo:
        return np.roll(units, 1, axis=0)
    return np.concatenate([np.zeros_like(units[:1]), units])


def _own_reach(drawn: Graph, player: int, averages: Sequence[Floats], held: int) -> Floats:
    """How likely a hand's own moves lead after each arrow, on the likeliest way there."""
    reach = np.zeros((2, drawn.arrows + 1, held))
    reach[0, -1] = 1
    for bid in range(len(drawn.bids)):
        onward = slice(drawn.first[bid], drawn.first[bid + 1])
        count = onward.stop - onward.start
        for state in np.flatnonzero(drawn.target == bid).tolist() if bid else [drawn.arrows]:
            mine, theirs = reach[player, state], reach[1 - player, state]
            if drawn.reached[player, state]:
                chosen = mine * probabilities(averages[state])[:count]
                reach[1 - player, onward] = np.maximum(reach[1 - player, onward], chosen)
            if drawn.reached[1 - player, state]:
                reach[player, onward] = np.maximum(reach[player, onward], theirs)
    result: Floats = reach[player]
    return result


def write(file: Path, arrays: Mapping[str, Bytes], told: Mapping[str, Any]) -> None:
    """Writes the archive; the same arrays give the same bytes."""
    about = {"version": VERSION, "sha256": checksum(sorted(arrays.items())), **told}
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        for name, array in [("about", text), *sorted(arrays.items())]:
            content = io.BytesIO()
            np.lib.format.write_array(content, array)
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_LZMA
            archive.writestr(entry, content.getvalue())
