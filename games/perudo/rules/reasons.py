"""Why a move is refused: every reason code of Perudo (A13), stable, for pages to put in words."""

from __future__ import annotations

from typing import Literal

BidReason = Literal[
    "bad_face",
    "bad_count",
    "paco_opening",
    "count_too_low",
    "face_locked",
    "paco_below_half",
    "below_double_plus_one",
    "count_lower",
    "face_lower",
    "both_raised",
]
Reason = Literal[
    BidReason,
    "malformed",
    "game_over",
    "already_left",
    "eliminated",
    "round_over",
    "not_your_turn",
    "no_bid",
    "calza_off",
    "own_bid",
    "next_bidder",
    "calza_palifico",
    "calza_two_left",
    "calza_full",
    "already_claimed",
    "nothing_to_settle",
    "nothing_to_confirm",
]
