"""Solves and measures a round between two players with the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from games.perudo.bots.two_left_graph import ROUNDS, Floats, Round, graph, hands
from games.perudo.bots.two_left_tables import LEVELS, Table
from lab.two_left_kernel import add_to_average, match_regrets, update, worth
from lab.two_left_response import best_response

Singles = npt.NDArray[np.float32]
Solved = tuple[Singles, Singles]

HANDS_AT_ONCE = 8  # in one pass: what fits the cache of a core
LATE = 2.0  # iteration t counts t ** LATE in the average


class Game:
    """The arrays of a round as the kernels take them; lists are by player."""

    def __init__(self, round_: Round) -> None:
        drawn = graph(round_.total, round_.palifico)
        target = np.append(drawn.target, 0)
        bids = [drawn.bids[bid] for bid in target]
        self.arrows = drawn.arrows
        self.moves = np.diff(drawn.first)[target] + (target > 0)
        self.child = drawn.first[target]
        self.order = np.argsort(target, kind="stable")
        self.quantity = np.array([bid.quantity if bid else 0 for bid in bids])
        self.face = np.array([bid.face if bid else 0 for bid in bids])
        held = [hands(dice, round_.palifico) for dice in round_.dice]
        self.hands = [len(each) for each in held]
        self.chance = [each.chance for each in held]
        self.matches = [each.matches for each in held]
        sizes = [self.moves * drawn.reached[player] * self.hands[player] for player in (0, 1)]
        self.size = [int(size.sum()) for size in sizes]
        self.offset = [
            np.where(drawn.reached[player], np.cumsum(sizes[player]) - sizes[player], -1)
            for player in (0, 1)
        ]


def solve(
    round_: Round,
    slips: Sequence[float | None],
    iterations: int,
    batch: int,
    seed: int,
    step: Callable[[], object],
) -> Solved:
    """Both players' average strategies; of several ways to weigh ways each player's best.

    `step` is called after each iteration of each way.
    """
    game = Game(round_)
    rng = np.random.default_rng([seed, ROUNDS.index(round_)])
    found = [_run(game, slip, iterations, batch, rng, step) for slip in slips]
    if len(found) == 1:
        return found[0]
    gains = [
        [response(game, 1 - player, _normal(game, player, each[player])) for each in found]
        for player in (0, 1)
    ]
    return found[int(np.argmin(gains[0]))][0], found[int(np.argmin(gains[1]))][1]


def _run(
    game: Game,
    slip: float | None,
    iterations: int,
    batch: int,
    rng: np.random.Generator,
    step: Callable[[], object],
) -> Solved:
    regrets, average, strategy = (
        [np.zeros(size, np.float32) for size in game.size] for _ in range(3)
    )
    for player in (0, 1):
        match_regrets(
            game.offset[player], game.moves, game.hands[player], regrets[player], strategy[player]
        )
    own = [np.zeros((game.arrows + 1, 2, held), np.float32) for held in game.hands]
    size = [(game.arrows + 1, 2, HANDS_AT_ONCE, held) for held in game.hands]
    joint, value = ([np.zeros(shape, np.float32) for shape in size] for _ in range(2))
    for iteration in range(1, iterations + 1):
        for player in (0, 1):
            chosen, weight = _hands(game.chance[1 - player], batch, rng)
            for start in range(0, len(chosen), HANDS_AT_ONCE):
                few = slice(start, start + HANDS_AT_ONCE)
                update(
                    player, game.offset[player], game.offset[1 - player], game.moves, game.child,
                    game.order, game.quantity, game.face, game.matches[player],
                    game.matches[1 - player], chosen[few], weight[few], strategy[player],
                    strategy[1 - player], np.float32(slip or 0), slip is None, regrets[player],
                    joint[player], own[player], value[player],
                )  # fmt: skip
            add_to_average(
                player, game.offset[player], game.moves, game.hands[player], own[player],
                strategy[player], np.float32((iteration / iterations) ** LATE), average[player],
            )  # fmt: skip
            match_regrets(
                game.offset[player], game.moves, game.hands[player], regrets[player],
                strategy[player],
            )  # fmt: skip
        step()
    return average[0], average[1]


def _hands(
    chance: Floats, batch: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], Singles]:
    """Hands of the other for one iteration and their weights: all, or a systematic sample."""
    if len(chance) <= batch:
        return np.arange(len(chance)), chance.astype(np.float32)
    ends = np.cumsum(chance)
    marks = (rng.random() + np.arange(batch)) / batch * ends[-1]
    chosen = np.minimum(np.searchsorted(ends, marks), len(chance) - 1)
    return chosen, np.full(batch, 1 / batch, np.float32)


def _normal(game: Game, player: int, average: Singles) -> Floats:
    flat = average.astype(np.float64)
    for state, at in enumerate(game.offset[player]):
        if at >= 0:
            end = at + game.moves[state] * game.hands[player]
            share = flat[at:end].reshape(-1, game.hands[player])
            share /= share.sum(axis=0)
    return flat


def response(game: Game, me: int, other: Floats) -> float:
    """What the exact best response of player `me` gains, in [-1, 1]."""
    deepest = int((game.quantity > 0).sum()) + 2
    gain: float = best_response(
        me, game.offset[1 - me], game.moves, game.child, game.arrows, game.quantity, game.face,
        game.matches[me], game.matches[1 - me], game.chance[me], game.chance[1 - me], other,
        min(deepest, 64),
    )  # fmt: skip
    return gain


def exploitability(round_: Round, table: Table) -> float:
    """Half of what both best responses gain together; 0 for an equilibrium."""
    game = Game(round_)
    return sum(response(game, me, flat(game, table, 1 - me)) for me in (0, 1)) / 2


def value(round_: Round, table: Table) -> float:
    """What a round is worth to its opener when both play the table, in [-1, 1]."""
    game = Game(round_)
    result: float = worth(
        game.offset[0], game.offset[1], game.moves, game.child, game.order, game.quantity,
        game.face, game.matches[0], game.matches[1], game.chance[0], game.chance[1],
        flat(game, table, 0).astype(np.float32), flat(game, table, 1).astype(np.float32),
    )  # fmt: skip
    return result


def flat(game: Game, table: Table, player: int) -> Floats:
    """A player's strategies as the kernels take them: for each state and move all hands."""
    side, found = table.sides[player], np.zeros(game.size[player])
    for state, at in enumerate(game.offset[player]):
        if at < 0:
            continue
        root = state == game.arrows
        rows = side.alone[0] if root else side.row[state]
        moves, held = game.moves[state], game.hands[player]
        block = found[at : at + moves * held].reshape(moves, held)
        for hand, row in enumerate(rows):
            few = slice(side.start[row], side.start[row + 1])
            block[side.move[few].astype(int) - 1, hand] = side.units[few] / LEVELS
    return found
