"""Why a move is refused: every reason code of Peco Peco, stable, for pages to put in words."""

from __future__ import annotations

from typing import Literal

Reason = Literal[
    "malformed",
    "game_over",
    "already_left",
    "out_of_round",
    "round_over",
    "not_your_turn",
    "await_slap_window",
    "team_choice_first",
    "card_not_held",
    "does_not_beat",
    "bad_target",
    "call_off",
    "accuse_forbidden",
    "nothing_to_accuse",
    "own_pass",
    "accuse_partner",
    "no_cards",
    "already_waived",
    "nothing_to_waive",
    "nothing_to_settle",
    "nothing_to_choose",
    "bad_team",
    "nothing_to_confirm",
]
