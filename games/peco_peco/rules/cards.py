"""Animal cards: what beats what, and the deck (Q1, Q10 to Q12, B9).

A card is written as its animal and its icon: `E` is a plain elephant, `Mb` a mouse with a bomb.
"""

from __future__ import annotations

from typing import Final, Literal, cast

Animal = Literal["E", "C", "M"]
Icon = Literal["", "r", "d", "s", "b"]
Card = Literal[
    "E", "Er", "Ed", "Es", "Eb", "C", "Cr", "Cd", "Cs", "Cb", "M", "Mr", "Md", "Ms", "Mb"
]  # fmt: skip
Hand = tuple[Card, ...]

REVERSE: Final = "r"  # Q28
DRAW: Final = "d"  # Q29
STEAL: Final = "s"  # Q30
BOMB: Final = "b"  # Q31

ANIMALS: Final[tuple[Animal, ...]] = ("E", "C", "M")
ICONS_PER_ANIMAL: Final[dict[Icon, int]] = {"": 14, "r": 3, "d": 3, "s": 2, "b": 2}  # B9
CARDS: Final[Hand] = tuple(
    cast("Card", animal + icon) for animal in ANIMALS for icon in ICONS_PER_ANIMAL
)
DECK: Final[Hand] = tuple(
    card for card in CARDS for _ in range(ICONS_PER_ANIMAL[cast("Icon", card[1:])])
)
_BEATS: Final[dict[str, str]] = {"E": "C", "C": "M", "M": "E"}  # Q11


def animal(card: Card) -> Animal:
    return cast("Animal", card[0])


def icon(card: Card) -> Icon:
    return cast("Icon", card[1:])


def beats(card: Card, top: Card, *, inverse: bool) -> bool:
    """Whether `card` may be played on `top` (Q11, Q12); `inverse` turns the three pairs round."""
    if icon(card) == BOMB:
        return True
    stronger, weaker = (top, card) if inverse else (card, top)
    return _BEATS[animal(stronger)] == animal(weaker)
