"""The settings of a table (B8, Settings) and the teams that follow from them (Q41, Q42)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from games.core.codec import pack, unpack_as

ShortPile = Literal["auto", "on", "off"]
Switch = Literal["off", "on"]
SLAP_WINDOW_MS: Final = range(1000, 10001)

Sides = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of one table; Q-numbers say which rule each setting changes."""

    first_feast_on_top: bool = True  # Q4
    short_pile: ShortPile = "auto"  # Q40
    teams: Switch = "off"  # Q41, Q42
    team_accuse_partner: bool = True  # Q41
    peco_call: Switch = "off"  # Q43
    slap_window_ms: int = 3000  # Q33

    @classmethod
    def from_json(cls, data: object) -> Options:
        """The options of a JSON object with every setting; ValueError names what does not fit."""
        options: Options = unpack_as(cls, data)
        if options.slap_window_ms not in SLAP_WINDOW_MS:
            raise ValueError(f"slap_window_ms is 1000 to 10000, not {options.slap_window_ms}")
        return options

    def to_json(self) -> dict[str, object]:
        packed: dict[str, object] = pack(self)
        return packed

    def has_short_pile(self, seats: int) -> bool:
        """Whether the stakes that deal five are left out (Q40)."""
        return self.short_pile == "on" or (self.short_pile == "auto" and seats >= 7)

    def sides(self, seats: int) -> Sides:
        """The seats that play together; without teams each seat plays alone.

        Even numbers: partners sit opposite (Q41). Five or seven: seat 0 is alone for now, the
        others play with the seat opposite among themselves (Q42).
        """
        if self.teams == "off":
            return tuple((seat,) for seat in range(seats))
        half = seats // 2
        if seats % 2 == 0:
            return tuple((seat, seat + half) for seat in range(half))
        return ((0,), *((seat, seat + half) for seat in range(1, half + 1)))


PRESETS: Final[Mapping[str, Options]] = {
    "peco_base": Options(),
    "peco_teams": Options(teams="on"),
    "peco_der_des_der": Options(peco_call="on"),
}
SITE_PRESET: Final = "peco_base"

# Every setting with the values that forms offer and tests walk through.
CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "first_feast_on_top": (True, False),
    "short_pile": get_args(ShortPile),
    "teams": get_args(Switch),
    "team_accuse_partner": (True, False),
    "peco_call": get_args(Switch),
    "slap_window_ms": (2000, 3000, 5000, 10000),
}
