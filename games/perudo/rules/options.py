"""The settings of a table: every point on which the rulebooks differ (A12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, get_args

from games.core.codec import pack, unpack_as

Starter = Literal["random", "two_dice", "one_die"]
RaiseRule = Literal["one_only", "any_face_if_more"]
PacoOpening = Literal["palifico_only", "never"]
PalificoRepeat = Literal["every_time", "once"]
Calza = Literal["off", "on"]
CalzaWho = Literal["any_but_bidder", "any_but_bidder_and_next", "current_only"]
TwoOrThree = Literal[2, 3]


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of one table; P-numbers say which rule each setting changes."""

    starter: Starter = "random"  # P4
    raise_rule: RaiseRule = "one_only"  # P10, P11
    paco_opening: PacoOpening = "palifico_only"  # P13, P27
    palifico_repeat: PalificoRepeat = "every_time"  # P29
    palifico_min_players: TwoOrThree = 2  # P30
    calza: Calza = "off"  # P33
    calza_who: CalzaWho = "any_but_bidder"  # P35
    calza_in_palifico: bool = True  # P37
    calza_min_players: TwoOrThree = 2  # P38
    calza_needs_lost_die: bool = False  # P42
    lost_dice_visible: bool = True  # P44, P45

    @classmethod
    def from_json(cls, data: object) -> Options:
        """The options of a JSON object with every setting; ValueError names what does not fit."""
        options: Options = unpack_as(cls, data)
        return options

    def to_json(self) -> dict[str, object]:
        packed: dict[str, object] = pack(self)
        return packed


PRESETS: Final[Mapping[str, Options]] = {
    "asmodee_fr": Options(lost_dice_visible=False),
    "asmodee_it": Options(
        calza_who="any_but_bidder_and_next",
        calza_in_palifico=False,
        calza_min_players=3,
        lost_dice_visible=False,
    ),
    "web_fr": Options(starter="two_dice", paco_opening="never", calza_who="current_only"),
    "wikipedia_fr": Options(starter="one_die"),
}
SITE_PRESET: Final = "asmodee_fr"
SITE_OPTIONS: Final = replace(PRESETS[SITE_PRESET], lost_dice_visible=True)

# Every setting with its possible values, for forms and tests.
CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "starter": get_args(Starter),
    "raise_rule": get_args(RaiseRule),
    "paco_opening": get_args(PacoOpening),
    "palifico_repeat": get_args(PalificoRepeat),
    "palifico_min_players": get_args(TwoOrThree),
    "calza": get_args(Calza),
    "calza_who": get_args(CalzaWho),
    "calza_in_palifico": (True, False),
    "calza_min_players": get_args(TwoOrThree),
    "calza_needs_lost_die": (False, True),
    "lost_dice_visible": (True, False),
}


def differences(options: Options, preset: str) -> dict[str, object]:
    """The settings in which a table differs from its preset, and their values there."""
    printed = PRESETS[preset]
    return {
        f.name: getattr(options, f.name)
        for f in fields(options)
        if getattr(options, f.name) != getattr(printed, f.name)
    }
