"""The weights of the hard bot, fitted on games between bots; docs/bots.md says how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# What makes a seat win the round that goes on; see `round_model.traits`.
ROUND: Final[Mapping[str, float]] = {
    "cards_1": -1.06,
    "cards_2": -0.26,
    "cards_3": 0.33,
    "cards_4": 0.76,
    "cards_5": 1.21,
    "cards_6": 1.74,
    "my_bombs": 0.45,
    "my_cards_1": -1.29,
    "my_cards_2": -0.54,
    "my_cards_3": -0.06,
    "my_cards_4": 0.23,
    "my_cards_5": 0.67,
    "my_cards_6": 0.71,
    "my_first": -0.05,
    "my_gifts": 0.28,
    "my_others": 0.03,
    "my_owner_bombs": 0.28,
    "my_owner_cards_0": -2.67,
    "my_owner_cards_1": -1.1,
    "my_owner_cards_2": -0.38,
    "my_owner_cards_3": 0.11,
    "my_owner_cards_4": 0.48,
    "my_owner_cards_5": 0.94,
    "my_owner_cards_6": 1.33,
    "my_owner_first": 0.07,
    "my_owner_gifts": 0.25,
    "my_owner_others": 0.01,
    "my_owner_second": 0.05,
    "my_owner_third": -0.02,
    "my_owner_two_second": -0.03,
    "my_second": 0.14,
    "my_third": 0.04,
    "my_two_second": -0.02,
    "next": -0.05,
    "owner_cards_0": -2.41,
    "owner_cards_1": -0.97,
    "owner_cards_2": -0.16,
    "owner_cards_3": 0.39,
    "owner_cards_4": 0.81,
    "owner_cards_5": 1.03,
    "owner_cards_6": 1.31,
    "passed": 0.17,
    "passed_cards": 0.01,
}

# What makes a side win the game; see `game_model.traits`.
GAME: Final[Mapping[str, float]] = {
    "cards_late": 0.77,
    "extra": 0.09,
    "points": 0.02,
    "points_late": 0.79,
    "points_only_cards_late": -0.41,
    "points_only_points": 0.27,
    "points_only_points_late": 0.85,
    "tilted_with_0": 0.33,
    "tilted_with_1": 0.49,
    "tilted_with_2": 0.31,
    "types_1": 0.68,
    "types_1_late": 0.68,
    "types_2": 1.44,
    "types_2_late": -0.18,
    "won_last": -0.07,
}
