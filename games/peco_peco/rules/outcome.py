"""Who won and how: sets, points, ties, teams and players who left (Q37 to Q42, C5)."""

from __future__ import annotations

from games.core.contract import Outcome
from games.peco_peco.rules.scoring import Facing, cards_won, value
from games.peco_peco.rules.stakes import FOODS, STAKES, Food
from games.peco_peco.rules.state import State, shared_buffet, staying


def points(state: State, seat: int) -> int:
    """What the side of this seat is worth now (Q38, Q41).

    Once the pile is used up, the winner of the last round adds one for each card in hand.
    """
    return value(shared_buffet(state, seat)) + _hand_bonus(state, seat)


def _hand_bonus(state: State, seat: int) -> int:
    winner = state.result.winner if state.result else None
    if state.reason != "pile" or winner is None or winner in state.removed:
        return 0
    return state.sizes[winner] if winner in state.side_of(seat) else 0


def outcome(state: State) -> Outcome | None:
    """The ranking by points, then by cards won; None while the game runs (Q37 to Q39).

    A complete set comes first. Seats that left have no place. Scores are points by seat.
    """
    if state.phase != "over" or state.reason is None:
        return None
    weights: dict[tuple[int, ...], list[int]] = {}
    for seat in state.in_play:
        weights.setdefault(_weight(state, seat), []).append(seat)
    return Outcome(
        ranking=tuple(tuple(weights[weight]) for weight in sorted(weights, reverse=True)),
        reason=state.reason,
        unranked=tuple(sorted(state.removed)),
        scores=tuple(
            points(state, seat) if seat in state.in_play else 0 for seat in range(state.seats)
        ),
    )


def ranking(state: State) -> tuple[int, ...]:
    """The seats still in the game by points, then by cards won; equal ones in seat order."""
    return tuple(sorted(state.in_play, key=lambda seat: _weight(state, seat), reverse=True))


def _weight(state: State, seat: int) -> tuple[int, ...]:
    """What sorts a seat into its place: the set, the points, the number of cards (Q37, Q39)."""
    winner = state.result.winner if state.result else None
    by_set = state.reason == "set" and winner is not None and winner in state.side_of(seat)
    return (by_set, points(state, seat), cards_won(shared_buffet(state, seat)))


def is_near_set(state: State, seat: int) -> bool:
    """Whether one more stake can win the game for this seat by a complete set (Q37, Q41).

    Not in teams of five or seven, where a set wins nothing (Q42). A stake that lies face down has
    no type, and a tilted one helps only its own winner, if they win the very next round (Q36). It
    rests on what everybody knows; of the pile only on whether a stake is left.
    """
    gone = state.gone | state.removed
    if state.phase == "over" or seat in gone or (state.teams and state.seats % 2):
        return False
    side = [other for other in staying(state, state.side_of(seat)) if other not in gone]
    won = {food for other in side for food in _foods(state, other, "up")}
    soon = won | _foods(state, seat, "tilted")
    if state.phase == "reveal":
        return len(soon) == len(FOODS) - 1
    stake = state.stake
    lies_up = not (stake.tilt and state.food_left)
    if seat not in state.out and lies_up and soon | {stake.food} == set(FOODS):
        return True
    return bool(state.food_left) and len(won) == len(FOODS) - 1


def _foods(state: State, seat: int, facing: Facing) -> set[Food]:
    """The types of the stakes that lie so in a seat's own buffet."""
    return {STAKES[laid.stake].food for laid in state.buffets[seat] if laid.facing == facing}
