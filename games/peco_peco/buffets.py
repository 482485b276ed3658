"""What a seat of Peco Peco has won, as the table shows it (Q36 to Q41)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.contract.shown import context
from games.peco_peco import words
from games.peco_peco.rules.outcome import points
from games.peco_peco.rules.scoring import Laid, is_set, value
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.rules.state import State, shared_buffet
from games.peco_peco.shown import Buffet, Dishes, Standing


def won(state: State, number: int) -> Buffet:
    """What a seat has won."""
    buffet, shared = state.buffets[number], shared_buffet(state, number)
    return Buffet(
        points=points(state, number),
        foods=foods(buffet),
        new=_new_dish(state, number),
        down=sum(laid.facing == "down" for laid in buffet),
        tilted=[STAKES[laid.stake].food for laid in buffet if laid.facing == "tilted"],
        complete=is_set(shared),
        completed=_has_completed(state, shared),
    )


def standing(state: State, number: int) -> Standing:
    """What a seat has won, and which dishes its side still needs for all three (Q37, Q41)."""
    shared = {each.food for each in foods(shared_buffet(state, number)) if each.cards}
    missing = ", ".join(words.food(food) for food in FOODS if food not in shared)
    return Standing(**context(won(state, number)), missing=missing)


def _new_dish(state: State, seat: int) -> str | None:
    """The kind of dish that the round on the table has just brought this seat; None: nothing."""
    if state.result is None or state.result.winner != seat:
        return None
    return STAKES[state.result.stake].food


def _has_completed(state: State, buffet: Sequence[Laid]) -> bool:
    """Whether the round on the table gave a side, which has this, its set (Q37, Q41)."""
    if state.result is None or not is_set(buffet):
        return False
    return not is_set(laid for laid in buffet if laid.stake != state.result.stake)


def foods(buffet: Iterable[Laid]) -> list[Dishes]:
    """For each type the cards that lie face up, and what they are worth together (Q38)."""
    return [
        Dishes(food=food, cards=cards, points=worth) for food, cards, worth in _piles(tuple(buffet))
    ]


@lru_cache(maxsize=1_000)  # a buffet stays as it is for a whole round
def _piles(buffet: Sequence[Laid]) -> list[tuple[str, int, int]]:
    up = [laid for laid in buffet if laid.facing == "up"]
    piles = ((food, [one for one in up if STAKES[one.stake].food == food]) for food in FOODS)
    return [(food, len(pile), value(pile)) for food, pile in piles]
