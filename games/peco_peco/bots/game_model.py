"""Who wins the game: the chance of a side once a round has been won, and how it is made up."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from games.peco_peco.bots.weights import GAME
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


def chance_after(state: State, seat: int, winner: int | None) -> float:
    """The chance of this seat's side to win the game if `winner` wins the present round.

    Exact when that ends the game, but for the cards left in the winner's hand (Q38).
    """
    last = not state.food_left
    buffets = [
        settle_tilted(buffet, won_again=other == winner)
        for other, buffet in enumerate(state.buffets)
    ]
    if winner is not None:
        laid = Laid(state.stake_id, "tilted" if state.stake.tilt and not last else "up")
        buffets[winner] = (*buffets[winner], laid)
    mine = state.side_of(seat)
    sets_win = has_sets(state)
    if winner is not None and sets_win:
        won = state.side_of(winner)
        if is_set(pooled(buffets, staying(state, won))):
            return float(won == mine)
    shares = side_shares(state, buffets, winner, last=last)
    return shares[mine]


def has_sets(state: State) -> bool:
    """Whether a complete set wins: not in teams of five or seven (Q42)."""
    return not (state.teams and state.seats % 2)


def side_shares(
    state: State, buffets: list[Buffet], winner: int | None, *, last: bool
) -> dict[tuple[int, ...], float]:
    """The chance of each side to win the game with these buffets."""
    sides = {side: pooled(buffets, left) for side in state.sides if (left := staying(state, side))}
    if last:
        points = {side: (value(buffet), cards_won(buffet)) for side, buffet in sides.items()}
        best = max(points.values())
        first = [side for side, weight in points.items() if weight == best]
        return {side: (side in first) / len(first) for side in sides}
    weights = {
        side: exp(sum(GAME[name] * worth for name, worth in traits(state, side, buffet, winner)))
        for side, buffet in sides.items()
    }
    total = sum(weights.values())
    return {side: weight / total for side, weight in weights.items()}


def traits(
    state: State, side: tuple[int, ...], buffet: Buffet, winner: int | None
) -> Iterator[tuple[str, float]]:
    """What makes up the strength of a side before the next round, by the names of its weights."""
    late = 1 / (1 + state.food_left)
    points = value(buffet)
    prefix = "" if has_sets(state) else "points_only_"
    yield prefix + "points", points
    yield prefix + "points_late", points * late
    yield prefix + "cards_late", cards_won(buffet) * late
    if has_sets(state):
        types = {STAKES[laid.stake].food for laid in buffet if laid.facing == "up"}
        tilted = {STAKES[laid.stake].food for laid in buffet if laid.facing == "tilted"} - types
        known = min(len(types), 2)
        if types:
            yield f"types_{known}", 1.0
            yield f"types_{known}_late", late
        if tilted:
            yield f"tilted_with_{known}", 1.0
    if winner in side:
        yield "won_last", 1.0
        yield "extra", float(state.stake.extra)
