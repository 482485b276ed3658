"""The network of the best bot: how a round ends after each move, from what one seat knows.

`network.npz` holds its weights with the version, the command that trained them and a checksum; it
is read when first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.perudo.bots.features import (
    OF_STATE,
    OUTCOMES,
    SEATS,
    Array,
    Choice,
    Position,
    counts_of,
    masks,
    of_moves,
    of_state,
    position,
    settled,
)
from games.perudo.rules.bids import FACES, counts_by_face
from games.perudo.rules.state import State

FILE: Final = Path(__file__).with_name("network.npz")
LAYERS: Final = ("in_state", "in_move", "bias_1", "layer_2", "bias_2", "layer_3", "bias_3")


@dataclass(frozen=True, slots=True)
class Network:
    """Weights of a perceptron with two hidden layers, and what is written beside them."""

    version: int
    command: str
    checksum: str
    weights: tuple[Array, ...]

    def outcomes(self, p: Position, hands: Array, moves: Sequence[Choice], least: Array) -> Array:
        """The probability of each end of the round: an array (hands, moves, OUTCOMES)."""
        in_state, in_move, bias_1, layer_2, bias_2, layer_3, bias_3 = self.weights
        shared = of_state(p, hands) @ in_state + bias_1
        first = np.maximum(shared[:, None] + of_moves(p, hands, moves, least) @ in_move, 0)
        second = np.maximum(first @ layer_2 + bias_2, 0)
        logits = (second @ layer_3 + bias_3).astype(np.float64)
        found: Array = np.where(masks(p, moves), logits, -1e9)
        found = np.exp(found - found.max(axis=-1, keepdims=True))
        found /= found.sum(axis=-1, keepdims=True)
        for which, move, place in settled(p, hands, moves):
            found[which, move] = np.arange(OUTCOMES) == place
        return found


def checksum(weights: Sequence[Array]) -> str:
    return sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in weights)).hexdigest()


def read(path: Path) -> Network:
    """The network of a file; ValueError when its weights are not those of its checksum."""
    with np.load(path) as kept:
        weights = tuple(kept[name] for name in LAYERS)
        network = Network(
            int(kept["version"]), str(kept["command"]), str(kept["checksum"]), weights
        )
    if checksum(weights) != network.checksum or weights[0].shape[0] != OF_STATE:
        raise ValueError(f"{path.name} is damaged, or of another version")
    return network


def write(path: Path, weights: Sequence[Array], *, version: int, command: str) -> str:
    """Write weights with what `read` wants to know; returns their checksum."""
    arrays: dict[str, Any] = dict(zip(LAYERS, weights, strict=True))
    arrays |= {"version": version, "command": command, "checksum": checksum(weights)}
    np.savez_compressed(path, **arrays)
    return str(arrays["checksum"])


@cache
def network() -> Network:
    """The one that this site plays with."""
    return read(FILE)


# --- what outcomes are worth ----------------------------------------------------------------------


def worth(players: int) -> Array:
    """Each outcome in dice: a die of mine is 1, one of another 1 / (players - 1)."""
    values = np.zeros(2 * SEATS + 1)
    values[1:players] = 1 / (players - 1)
    values[SEATS + 1 : SEATS + players] = -1 / (players - 1)
    values[0], values[SEATS] = -1, 1
    return values


def smallest(state: State) -> Array:
    """The smallest number that may be bid now, by face; 0 where none may."""
    palifico = state.palifico is not None
    counts = counts_by_face(
        state.last_bid, options=state.options, palifico=palifico, most=state.most
    )
    return np.array([0, *(counts[face][0] if counts[face] else 0 for face in FACES)])


def weigh(state: State, seat: int, moves: Sequence[Choice]) -> Array:
    """What each move is worth in dice to a seat that knows `state`: an array (moves,)."""
    return np.asarray(weigh_hands(state, seat, counts_of(state.hand(seat)), moves)[0])


def weigh_hands(state: State, seat: int, hands: Array, moves: Sequence[Choice]) -> Array:
    """What each move would be worth in dice with each of these hands: an array (hands, moves)."""
    p = position(state, seat)
    return np.asarray(network().outcomes(p, hands, moves, smallest(state)) @ worth(p.players))
