"""Why a bid was refused, and which bids are possible instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.perudo.rules.bids import Bid
from games.perudo.words.dice import bid

# The rule that was broken, true whatever the table's options; `refused_bid` adds what is possible.
BIDS: Final = {
    "bad_face": _("Choose a value: paco, or two to six."),
    "bad_count": _("There were never that many dice at this table."),
    "paco_opening": _("You can't open this round on pacos. Choose another value."),
    "count_too_low": _("With the same value you must bid more dice."),
    "face_locked": _("In a palifico round nobody can change the value."),
    "paco_below_half": _("To switch to pacos, bid at least half as many, rounded up."),
    "below_double_plus_one": _("To go back from pacos, bid at least twice as many, plus one."),
    "count_lower": _("You can't bid fewer dice, except when you switch to pacos."),
    "face_lower": _("With the same number of dice the value must go up."),
    "both_raised": _("Raise the number or the value, not both at once."),
}
_ENOUGH_SAID: Final = {"bad_face", "paco_opening"}  # every other value is possible


def refused_bid(code: str, details: Mapping[str, object]) -> str:
    """The rule that was broken, then the bids that are possible instead.

    `details` as the rules give them: `bid` and `last` in their written form ("" without a last
    bid), and `legal` as of `raises_as_text`.
    """
    why = _why(code, str(details["bid"]), last=str(details["last"]))
    if code in _ENOUGH_SAID:
        return why
    return f"{why} {_instead(str(details['bid']), str(details['legal']).split())}"


def _why(code: str, refused: str, *, last: str) -> str:
    # A refused bid may be no bid at all ("0x7"), so only its parts are read here.
    quantity, _x, _face = refused.partition("x")
    if code == "bad_count" and int(quantity) < 1:
        return gettext("A bid needs at least one die.")
    if code == "face_lower" and int(quantity) > Bid.from_text(last).quantity:
        return gettext("Even with more dice you can't go to a lower value.")
    return str(BIDS[code])


def _instead(refused: str, legal: list[str]) -> str:
    """What is possible on the value that was wanted; all that is possible where nothing is."""
    if not legal:
        return gettext("No higher bid is possible: call dudo.")
    value = refused.partition("x")[2]
    same_value = [each for each in legal if each.rstrip("+").endswith(f"x{value}")]
    named = [_possible(each) for each in same_value or legal]
    return gettext("You can bid %(bids)s.") % {"bids": get_text_list(named, gettext("or"))}


def _possible(written: str) -> str:
    """`6x4+` as "at least 6 fours", `5x5` as "5 fives"."""
    named = bid(Bid.from_text(written.rstrip("+")))
    return gettext("at least %(bid)s") % {"bid": named} if written.endswith("+") else named
