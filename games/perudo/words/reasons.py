"""Why a move was refused, and what to do instead: one sentence for every reason code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.perudo.words.refused_bids import BIDS, refused_bid

RULES: Final = {
    "malformed": _("Choose a number and a value, or call dudo."),
    **BIDS,
    "no_bid": _("No bid yet: a round starts with a bid."),
    "not_your_turn": _("It's not your turn."),
    "round_over": _("This round is over: wait for the next one."),
    "game_over": _("This game is over."),
    "eliminated": _("You're out! You can keep watching."),
    "own_bid": _("You can't call calza on your own bid."),
    "next_bidder": _("At this table you can't call calza on your turn: raise or call dudo."),
    "calza_off": _("Calza is off at this table."),
    "calza_palifico": _("At this table calza isn't allowed in palifico rounds."),
    "calza_two_left": _("At this table calza isn't allowed with only two players left."),
    "calza_full": _("At this table you can only call calza with fewer than five dice."),
    "already_claimed": _("You've already called calza."),
    "nothing_to_settle": _("Nobody has called calza."),
    "nothing_to_confirm": _("There's nothing to confirm right now."),
    "already_left": _("You've already left this game."),
}

# Refusals by `games.play` that each game puts in words of its own.
PLAY: Final = {
    "too_soon": _("Wait a moment: others can still call calza on this bid."),
}


def reason(code: str, details: Mapping[str, object] | None = None) -> str:
    """The sentence for a code of `RULES` or `PLAY`; `details` are those of the refusal.

    KeyError for another code.
    """
    if details and "legal" in details:
        return refused_bid(code, details)
    return str({**RULES, **PLAY}[code])
