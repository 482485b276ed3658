"""Why a move or a wish was refused, and what to do instead: one sentence for every reason code."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.words.refused_bids import BIDS, refused_bid
from games.words.regional import date_time

RULES: Final = {
    "malformed": _("That is not a move. Choose a number and a face, or say dudo."),
    **BIDS,
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
    "people_play": _("Not everyone is out yet. You can skip once only bots are left."),
    "too_many_skips": _("Not so fast: wait a moment before you skip again."),
    "with_people": _("Other people play in this game. Find a new table in the lobby."),
    "unknown_bot": _("There is no such bot. Choose one of the list."),
    "too_many_seats": _("You sit at too many tables. Finish or leave one first."),
    "too_many_tables": _("You have too many open tables. Start or close one first."),
    "too_many_games": _(
        "You have started a lot of games in the last few minutes. Please wait a little."
    ),
    "site_busy": _(
        "The site is busy: too many games are running. Please try again in a few minutes."
    ),
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
    if details and "legal" in details:
        return refused_bid(code, details)
    until = (details or {}).get("until")
    if until and code == "silenced":
        return _silenced(datetime.fromisoformat(str(until)))
    return str({**RULES, **SITE}[code])


def _silenced(until: datetime) -> str:
    form = gettext("The staff lets you talk again on %(until)s (UTC). You can play on.")
    return form % {"until": date_time(until)}
