"""Counting cards: what a seat has not seen, and exact odds of what others hold.

The cards that a seat cannot see are equally likely to be anywhere it cannot see: in the draw pile,
in the other hands, or buried unseen under the discard. So a hand of n cards is n draws without
replacement, and the odds that follow are hypergeometric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final

from games.peco_peco.rules.cards import ANIMALS, BOMB, DECK, Animal, Card, animal, beats, icon
from games.peco_peco.rules.state import State


@dataclass(frozen=True, slots=True)
class Unseen:
    """The cards a seat has not seen: bombs, and the others by animal."""

    bombs: int
    others: Mapping[Animal, int]

    @property
    def total(self) -> int:
        return self.bombs + sum(self.others.values())

    def beating(self, top: Card, *, inverse: bool) -> int:
        """How many of them beat this card (Q11, Q12)."""
        return self.bombs + self.others[beater(top, inverse=inverse)]

    def none_beats(self, top: Card, count: int, *, inverse: bool) -> float:
        """The probability that none of `count` unseen cards beats this card."""
        return none_of(self.beating(top, inverse=inverse), self.total, count)


def unseen(state: State, seat: int) -> Unseen:
    """What is left of the deck without its own hand, the top card and the buried cards it saw."""
    bombs, others = _ALL.bombs, dict(_ALL.others)
    top = () if state.top is None else (state.top,)
    for card in (*state.hand(seat), *state.under, *top):
        if icon(card) == BOMB:
            bombs -= 1
        else:
            others[animal(card)] -= 1
    return Unseen(bombs, others)


def _counted(cards: Sequence[Card]) -> Unseen:
    plain = Counter(animal(card) for card in cards if icon(card) != BOMB)
    bombs = sum(icon(card) == BOMB for card in cards)
    return Unseen(bombs, {kind: plain[kind] for kind in ANIMALS})


_ALL: Final = _counted(DECK)
_BEATERS: Final[Mapping[tuple[Animal, bool], Animal]] = {
    (weaker, inverse): stronger
    for weaker in ANIMALS
    for stronger in ANIMALS
    for inverse in (False, True)
    if beats(stronger, weaker, inverse=inverse)
}


def beater(top: Card, *, inverse: bool) -> Animal:
    """The animal that beats this card (Q11)."""
    return _BEATERS[animal(top), inverse]


@cache
def none_of(wanted: int, total: int, count: int) -> float:
    """The probability that `count` of `total` cards hold none of the `wanted` ones.

    1 when nothing is drawn; ValueError when there are fewer than `count` cards.
    """
    if not 0 <= count <= total or not 0 <= wanted <= total:
        raise ValueError(f"{count} of {total} cards, {wanted} wanted")
    return comb(total - wanted, count) / comb(total, count)


def truth_of_declaration(state: State, seat: int, known: Unseen | None = None) -> float:
    """The probability that the last declaration is true, judged by the number of cards alone.

    ValueError when nobody has just declared.
    """
    if state.declarer is None or state.top is None:
        raise ValueError("nobody has just declared")
    cards = known or unseen(state, seat)
    return cards.none_beats(state.top, state.sizes[state.declarer], inverse=state.inverse)
