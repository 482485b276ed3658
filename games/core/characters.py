"""Characters: bots with a name, a face, a pace and a temper of their own.

A game lists its characters. Seats store their keys, which are unique on the site, so that a name
can be looked up without knowing the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import Chance

# A bot chooses from the state as its seat knows it. None: it does not want to interrupt.
Bot = Callable[[Any, int, Chance], Any | None]


@dataclass(frozen=True, slots=True)
class Character:
    """A bot with a temper, about as strong as the kind of bot that is its `base`.

    `drawings` is the static file in which `face` is the id of a symbol; `cloth` and `weave` are
    those of `accounts.avatars`. `pace` multiplies the usual time of a bot, and `spread` is how much
    that time varies, as the standard deviation of its logarithm.
    """

    name: str  # the same in every language, and reserved in accounts.names
    base: str
    bot: Bot
    drawings: str
    face: str
    cloth: str
    weave: str
    pace: float = 1.0
    spread: float = 0.35

    @property
    def avatar(self) -> dict[str, str]:
        """The keys that `_avatar.html` draws."""
        return {
            "animal": self.face,
            "cloth": self.cloth,
            "weave": self.weave,
            "drawings": self.drawings,
        }


_known: Final[dict[str, Character]] = {}


def install(characters: Iterable[tuple[str, Character]], *, taken: Collection[str]) -> None:
    """Set the characters that seats may refer to.

    `taken`: the keys of all other bots. Raises ValueError if two bots have the same key.
    """
    _known.clear()
    for key, character in characters:
        if key in _known or key in taken:
            raise ValueError(f"two bots have the key {key!r}")
        _known[key] = character


def find(key: str) -> Character | None:
    """Return the character with the key stored in a seat; None for other bots and for people."""
    return _known.get(key)
