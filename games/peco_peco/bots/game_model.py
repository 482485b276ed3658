"""Who wins the game: the chance of a side for each way in which the present round may end.

Each side has a strength, a sum of weights over what it has won, and its chance is its share of
exp(strength) (a conditional logit). The weights were fitted on games between bots; see
docs/bots.md. Where the round ends the game, the chance follows from the rules instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import exp
from typing import NamedTuple

from games.peco_peco.bots.weights import GAME
from games.peco_peco.rules.options import Sides
from games.peco_peco.rules.scoring import (
    Buffet,
    Laid,
    cards_won,
    is_set,
    pooled,
    settle_tilted,
    value,
)
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State, staying

Side = tuple[int, ...]


class Score(NamedTuple):
    """What the chances rest on: the same for all moves of a round."""

    seats: int
    sides: Sides  # without players who left
    buffets: tuple[Buffet, ...]
    stake: str
    food_left: int
    sets: bool  # whether a complete set wins: not in teams of five or seven (Q42)


def chances(state: State, seat: int) -> tuple[float, ...]:
    """The chance of the side of `seat` to win the game, by the seat that wins this round.

    The last item is the chance after a general defeat. Cards left in the winner's hand on the last
    stake are not counted (Q38).
    """
    sides = tuple(left for side in state.sides if (left := staying(state, side)))
    sets = not (state.teams and state.seats % 2)
    score = Score(state.seats, sides, state.buffets, state.stake_id, state.food_left, sets)
    return _chances(score, next(side for side in sides if seat in side))


@lru_cache(maxsize=256)
def _chances(now: Score, mine: Side) -> tuple[float, ...]:
    lost = [settle_tilted(buffet, won_again=False) for buffet in now.buffets]
    if not now.food_left:
        return tuple(
            _chance_by_points(now, _laid_down(now, lost, winner), winner, mine)
            for winner in _winners(now)
        )
    weights = {side: _weight(now, pooled(lost, side), won=False) for side in now.sides}
    total = sum(weights.values())
    result = []
    for winner in _winners(now):
        side = next((side for side in now.sides if winner in side), None)
        if side is None:
            result.append(weights[mine] / total)
            continue
        buffet = pooled(_laid_down(now, lost, winner), side)
        if now.sets and is_set(buffet):
            result.append(float(side == mine))
            continue
        won = _weight(now, buffet, won=True)
        own = won if side == mine else weights[mine]
        result.append(own / (total - weights[side] + won))
    return tuple(result)


def traits(now: Score, buffet: Buffet, *, won: bool) -> Iterator[tuple[str, float]]:
    """What makes up the strength of a side before the next round, by the names of its weights.

    `won` says whether it won the present round.
    """
    late = 1 / (1 + now.food_left)
    points = value(buffet)
    prefix = "" if now.sets else "points_only_"
    yield prefix + "points", points
    yield prefix + "points_late", points * late
    yield prefix + "cards_late", cards_won(buffet) * late
    if now.sets:
        types = {STAKES[laid.stake].food for laid in buffet if laid.facing == "up"}
        tilted = {STAKES[laid.stake].food for laid in buffet if laid.facing == "tilted"} - types
        known = min(len(types), 2)
        if types:
            yield f"types_{known}", 1.0
            yield f"types_{known}_late", late
        if tilted:
            yield f"tilted_with_{known}", 1.0
    if won:
        yield "won_last", 1.0
        yield "extra", float(STAKES[now.stake].extra)


def _winners(now: Score) -> list[int | None]:
    return [*range(now.seats), None]


def _laid_down(now: Score, lost: list[Buffet], winner: int | None) -> list[Buffet]:
    """The buffets after the round; `lost` are those of seats that did not win it (Q26, Q36)."""
    if winner is None:
        return lost
    tilted = STAKES[now.stake].tilt and now.food_left > 0
    laid = Laid(now.stake, "tilted" if tilted else "up")
    won = (*settle_tilted(now.buffets[winner], won_again=True), laid)
    return [won if seat == winner else buffet for seat, buffet in enumerate(lost)]


def _chance_by_points(now: Score, buffets: list[Buffet], winner: int | None, mine: Side) -> float:
    """1, 0, or the share of a shared win, after the last stake (Q37 to Q39)."""
    if winner is not None and now.sets:
        side = next((side for side in now.sides if winner in side), ())
        if is_set(pooled(buffets, side)):
            return float(side == mine)
    together = {side: pooled(buffets, side) for side in now.sides}
    points = {side: (value(buffet), cards_won(buffet)) for side, buffet in together.items()}
    first = [side for side in now.sides if points[side] == max(points.values())]
    return (mine in first) / len(first)


def _weight(now: Score, buffet: Buffet, *, won: bool) -> float:
    return exp(sum(GAME[name] * worth for name, worth in traits(now, buffet, won=won)))
