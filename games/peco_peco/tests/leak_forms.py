"""Every way we could think of in which a program might give away hidden cards."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

ANIMALS = {"E": "elephant", "C": "cat", "M": "mouse"}
_FRENCH = {"E": "éléphant", "C": "chat", "M": "souris"}
_SIGNS = {"E": "🐘", "C": "🐈", "M": "🐁"}

Form = Callable[[Sequence[str]], str]

# Of a hand, whose cards are codes such as "E" and "Mb".
FORMS: dict[str, Form] = {
    "json": lambda hand: f"<!-- {json.dumps(hand)} -->",
    "tight-json": lambda hand: json.dumps({"hand": hand}, separators=(",", ":")),
    "escaped": lambda hand: "".join(f"&#34;{card}&#34;, " for card in hand),
    "percent": lambda hand: "%2C".join(hand),
    "spaces": lambda hand: f"<p>{' '.join(hand)}</p>",
    "together": lambda hand: f'<p title="{"".join(hand)}"></p>',
    "attribute": lambda hand: f'<p data-hand="{"-".join(hand)}"></p>',
    "attributes": lambda hand: "".join(f'<i data-c="{card}"></i>' for card in hand),
    "tags": lambda hand: "".join(f"<li>{card}</li>" for card in hand),
    "drawn": lambda hand: "".join(
        f'<svg><use href="/c.svg#card-{ANIMALS[card[0]]}"></use></svg>' for card in hand
    ),
    "words": lambda hand: f"<p>{', '.join(ANIMALS[card[0]] for card in hand)}</p>",
    "french": lambda hand: f"<p>{', '.join(_FRENCH[card[0]] for card in hand)}</p>",
    "labels": lambda hand: f'<p aria-label="{" ".join(ANIMALS[card[0]] for card in hand)}"></p>',
    "icons": lambda hand: f"<p>{', '.join(f'{ANIMALS[card[0]]} (bomb)' for card in hand)}</p>",
    "signs": lambda hand: "".join(_SIGNS[card[0]] for card in hand),
    "tally": lambda hand: json.dumps(Counter(hand)),
    "base64": lambda hand: base64.b64encode(json.dumps(hand).encode()).decode(),
    "shuffled": lambda hand: json.dumps([*hand[1::2], *hand[::2]]),
}
# Of the order of a pile.
PILES: dict[str, Callable[[Any], str]] = {
    "draw pile": lambda state: json.dumps(state.pile[:8]),
    "Food pile": lambda state: " ".join(state.food),
}
EVERY: Final[Sequence[str]] = (*FORMS, *PILES)
# A single card on a screen, which no search could tell from a card that was played.
SINGLE: Final[Sequence[str]] = tuple(FORMS[name](["Cb"]) for name in ("attributes", "drawn"))


def told(form: str, state: Any) -> str:
    """What a site with holes says in this form about a game it knows everything of."""
    if form in PILES:
        return PILES[form](state)
    return " and ".join(FORMS[form](list(hand)) for hand in state.hands if hand)
