"""Every way we could think of in which a program might give away a hand of dice."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

_NAMES = ("", "paco", "two", "three", "four", "five", "six")

Form = Callable[[list[int]], str]

FORMS: dict[str, Form] = {
    "json": lambda hand: f"<!-- {json.dumps(hand)} -->",
    "tight-json": lambda hand: json.dumps({"hand": hand}, separators=(",", ":")),
    "texts": lambda hand: json.dumps([str(die) for die in hand]),
    "escaped": lambda hand: "".join(f"&#34;{die}&#34;, " for die in hand),
    "percent": lambda hand: "%2C".join(map(str, hand)),
    "spaces": lambda hand: f"<p>{' '.join(map(str, hand))}</p>",
    "together": lambda hand: f'<p title="{"".join(map(str, hand))}"></p>',
    "attribute": lambda hand: f'<p data-hand="{"-".join(map(str, hand))}"></p>',
    "attributes": lambda hand: "".join(f'<i data-d="{die}"></i>' for die in hand),
    "tags": lambda hand: "".join(f"<li>{die}</li>" for die in hand),
    "drawn": lambda hand: "".join(f'<svg><use href="/s.svg#die-{d}"></use></svg>' for d in hand),
    "words": lambda hand: f"<p>{', '.join(_NAMES[die] for die in hand)}</p>",
    "labels": lambda hand: f'<p aria-label="{" ".join(_NAMES[die] for die in hand)}"></p>',
    "signs": lambda hand: "".join(chr(0x267F + die) for die in hand),
    "tally": lambda hand: json.dumps([hand.count(face) for face in range(1, 7)]),
    "base64": lambda hand: base64.b64encode(json.dumps(hand).encode()).decode(),
    "shuffled": lambda hand: json.dumps([*hand[1::2], *hand[::2]]),
}
EVERY: Final[Sequence[str]] = tuple(FORMS)
# A single die on a screen, which no search could tell from a bid.
SINGLE: Final[Sequence[str]] = tuple(
    FORMS[name]([3]) for name in ("attribute", "attributes", "drawn")
)


def told(form: str, state: Any) -> str:
    """What a site with holes says in this form about a game it knows everything of."""
    return " and ".join(FORMS[form](list(hand)) for hand in state.hands if hand)
