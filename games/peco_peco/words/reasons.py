"""Why a move was refused, and what to do instead: one sentence for every reason code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.peco_peco.words.cards import card_played

RULES: Final = {
    "malformed": _("Choose a card, or say you can't play."),
    "game_over": _("This game is over."),
    "already_left": _("You've already left this game."),
    "out_of_round": _("You're out of this round: wait for the next one."),
    "round_over": _("This round is over: wait for the next one."),
    "not_your_turn": _("It's not your turn."),
    "await_slap_window": _("Wait a moment: the others can still accuse."),
    "team_choice_first": _("Wait until the teams are complete."),
    "card_not_held": _("You no longer have this card. Choose another one."),
    "does_not_beat": _(
        "This card doesn't beat the last one. Choose another, or say you can't play."
    ),
    "bad_target": _("Choose an opponent who still has cards."),
    "call_off": _("Nobody says “Peco Peco!” at this table."),
    "accuse_forbidden": _("Nobody can be accused this round."),
    "nothing_to_accuse": _("There's nobody to accuse right now."),
    "own_pass": _("You can't accuse yourself."),
    "accuse_partner": _("At this table you can't accuse your partner."),
    "no_cards": _("You need cards in your hand to accuse."),
    "already_waived": _("You've already let it pass."),
    "nothing_to_waive": _("There's nothing to let pass right now."),
    "nothing_to_settle": _("There's nobody to accuse right now."),
    "nothing_to_choose": _("There's no team to choose right now."),
    "bad_team": _("Choose one of the teams on offer."),
    "nothing_to_confirm": _("There's nothing to confirm right now."),
}

# Refusals by `games.play` that each game puts in words of its own.
PLAY: Final = {
    "too_soon": _("Wait a moment: the others can still accuse."),
}


def reason(code: str, details: Mapping[str, Any] | None = None) -> str:
    """The sentence for a code of `RULES` or `PLAY`; `details` are those of the refusal.

    KeyError for another code.
    """
    if code == "does_not_beat" and details:
        form = gettext(
            "You can't play %(card)s on %(top)s. Choose another card, or say you can't play."
        )
        return form % {
            "card": card_played(details["card"]),
            "top": card_played(details["top"]),
        }
    return str({**RULES, **PLAY}[code])
