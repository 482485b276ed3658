"""Why a move or a wish was refused, and what to do instead: one sentence for every reason code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.rules.perudo.bids import Bid
from games.words.dice import bid

RULES: Final = {
    "malformed": _("That is not a move. Choose a number and a face, or say dudo."),
    "bad_face": _("A die shows a paco, or two to six. Choose one of these."),
    "bad_count": _("There were never that many dice at this table. Choose another number."),
    "paco_opening": _("This round cannot be opened on pacos. Choose another face."),
    "count_too_low": _("On the same value you must bid more dice."),
    "face_locked": _(
        "In a palifico round nobody may change the value. Bid more dice of it, or say dudo."
    ),
    "paco_below_half": _("Going to pacos you must bid at least half as many, rounded up."),
    "below_double_plus_one": _(
        "Coming back from pacos you must bid at least twice as many, plus one."
    ),
    "count_lower": _("You may not bid fewer dice; only going to pacos lowers the number."),
    "face_lower": _("With the same number of dice the value must go up."),
    "both_raised": _("Raise the number or the value, not both at once."),
    "no_bid": _("Nobody has bid yet: a round begins with a bid."),
    "not_your_turn": _("It is not your turn."),
    "round_over": _("The cups are up: wait for the next round."),
    "game_over": _("This game is over."),
    "eliminated": _("You have no dice left. You can stay and watch."),
    "own_bid": _("You cannot call calza on your own bid."),
    "next_bidder": _("At this table the player to speak may not call calza: raise or say dudo."),
    "calza_off": _("This table plays without calza."),
    "calza_palifico": _("At this table nobody may call calza in a palifico round."),
    "calza_two_left": _("At this table nobody may call calza when only two players are left."),
    "calza_full": _("At this table only a player who has lost a die may call calza."),
    "already_claimed": _("You have already called calza."),
    "nothing_to_settle": _("Nobody has called calza."),
    "nothing_to_confirm": _("There is nothing to confirm just now."),
    "already_left": _("You have already left this game."),
}

SITE: Final = {
    "stale": _("The table moved on before your move arrived. Look again and choose anew."),
    "someone_faster": _("Somebody was faster. Look again and choose anew."),
    "too_soon": _("One moment: the others may still call calza on this bid."),
    "not_seated": _("You do not sit at this table. You can watch it."),
    "not_playing": _("This game is not running."),
    "not_open": _("This table is not open any more. Choose another one or make your own."),
    "closed": _("This table was closed. Choose another one or make your own."),
    "table_full": _("Every seat of this table is taken. You can watch it or choose another one."),
    "seat_taken": _("That seat has just been taken. Choose another one."),
    "already_seated": _("You already sit at this table."),
    "not_host": _("Only the host of the table may do this."),
    "too_few": _("The game needs at least two players. Wait for somebody or add a bot."),
    "not_over": _("This game is not over yet."),
    "unknown_bot": _("There is no such bot. Choose one of the list."),
    "too_many_seats": _("You sit at too many tables. Finish or leave one first."),
    "too_many_tables": _("You have too many open tables. Start or close one first."),
    "blocked": _("This table is not open to you."),
    "account_closed": _("This account is closed."),
    "silenced": _("The staff does not let you talk any more. You can play on."),
    "chat_off": _("At this table people use the quick phrases only."),
    "no_such_phrase": _("There is no such phrase. Choose one of the list."),
    "nothing_said": _("You have not written anything."),
    "too_long": _("That is too long. Say it in 200 characters or fewer."),
    "too_talkative": _("Not so fast: wait a moment before you say more."),
    "yourself": _("You cannot do this to yourself."),
    "already_reported": _("You have already reported this. The staff will look at it."),
    "too_many_reports": _("You have reported a lot lately. Please wait a while."),
}


def reason(code: str, details: Mapping[str, Any] | None = None) -> str:
    """The sentence for a code; `details` are the refusal’s own. KeyError for an unknown code."""
    last = (details or {}).get("last")
    if last and code in _OVER_A_BID:
        return _OVER_A_BID[code](Bid.from_text(str(last)))
    until = (details or {}).get("until")
    if until and code == "silenced":
        return _silenced(datetime.fromisoformat(str(until)))
    return str({**RULES, **SITE}[code])


def _silenced(until: datetime) -> str:
    form = gettext("The staff lets you talk again on %(until)s (UTC). You can play on.")
    return form % {"until": date_format(until, "DATETIME_FORMAT")}


def _count_too_low(last: Bid) -> str:
    form = gettext("The bid is %(bid)s: on the same value you must bid %(least)d or more.")
    return form % {"bid": bid(last), "least": last.quantity + 1}


def _paco_below_half(last: Bid) -> str:
    least = (last.quantity + 1) // 2
    form = ngettext(
        "The bid is %(bid)s: going to pacos you must bid at least half, %(least)d paco or more.",
        "The bid is %(bid)s: going to pacos you must bid at least half, %(least)d pacos or more.",
        least,
    )
    return form % {"bid": bid(last), "least": least}


def _below_double_plus_one(last: Bid) -> str:
    form = gettext(
        "The bid is %(bid)s: coming back from pacos you must bid twice as many plus one, "
        "%(least)d or more."
    )
    return form % {"bid": bid(last), "least": 2 * last.quantity + 1}


# Where the last bid is known the sentence says the number that would do.
_OVER_A_BID: Final[Mapping[str, Callable[[Bid], str]]] = {
    "count_too_low": _count_too_low,
    "paco_below_half": _paco_below_half,
    "below_double_plus_one": _below_double_plus_one,
}
