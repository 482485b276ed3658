"""Words that all games share, in the active language: refusals by the site, the time for a turn."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from games import catalogue
from games.regional_formats import date_time

SITE: Final = {
    "stale": _("Too late: the game has moved on. Please choose again."),
    "someone_faster": _("Too late: the game has moved on. Please choose again."),
    "not_seated": _("You're not at this table, but you can watch."),
    "not_playing": _("This game isn't in progress."),
    "not_open": _("This table is no longer open. Choose another one or create your own."),
    "closed": _("This table was closed. Choose another one or create your own."),
    "table_full": _("This table is full. You can watch or choose another one."),
    "seat_taken": _("That seat was just taken. Choose another one."),
    "already_seated": _("You're already at this table."),
    "not_host": _("Only the host can do this."),
    "too_few": ngettext_lazy(
        "You need at least %(least)d player to start. Wait for someone or add a bot.",
        "You need at least %(least)d players to start. Wait for someone or add a bot.",
        "least",
    ),
    "already_begun": _("The rematch has begun without you, but you can watch."),
    "not_over": _("This game isn't over yet."),
    "people_play": _("Not everyone is out yet. You can skip once only bots are left."),
    "too_many_skips": _("Wait a moment before you skip again."),
    "with_people": _("There are other people in this game. Find a new table in the lobby."),
    "unknown_bot": _("That bot doesn't exist. Choose one from the list."),
    "too_many_seats": _("You're at too many tables. Finish or leave one first."),
    "too_many_tables": _("You have too many open tables. Start or close one first."),
    "too_many_games": _(
        "You've started a lot of games in the last few minutes. Please wait a little."
    ),
    "too_many_here": _(
        "Too many tables are in use from your network. Finish or close one, or try again later."
    ),
    "paused": _("This game is paused because the site is full. It continues when there's room."),
    "site_busy": _(
        "The site is busy: too many games are in progress. Please try again in a few minutes."
    ),
    "removed": _("The host removed you from this table. You can watch or choose another one."),
    "seats_kept": _(
        "For a minute the free seats are kept for the players of the last game. "
        "You can watch or choose another table."
    ),
    "blocked": _("You can't join this table."),
    "account_closed": _("This account has been suspended."),
    "silenced": _("You've been banned from chat. You can still play."),
    "chat_off": _("Quick phrases only at this table."),
    "no_such_phrase": _("That phrase doesn't exist. Choose one from the list."),
    "nothing_said": _("Your message is empty. Write something first."),
    "too_long": _("Your message is too long. Use 200 characters or fewer."),
    "too_talkative": _("You're sending messages too fast. Wait a moment."),
    "yourself": _("You can't do this to yourself."),
    "already_reported": _("You've already reported this. Our staff will look at it."),
    "too_many_reports": _("You've sent a lot of reports lately. Please wait a while."),
}


def reason(
    code: str, details: Mapping[str, Any] | None = None, *, game_key: str | None = None
) -> str:
    """The sentence for a refusal: the site's own, or one of the rules of the game `game_key`.

    `details` are those of the refusal. KeyError for a code that is neither.
    """
    until = (details or {}).get("until")
    if until and code == "silenced":
        return _silenced(datetime.fromisoformat(str(until)))
    if code == "too_few":
        return str(SITE[code] % {"least": (details or {}).get("least", 2)})
    if code in SITE:
        return str(SITE[code])
    if game_key is None:
        raise KeyError(code)
    return catalogue.of(game_key).words.reason(code, details)


def _silenced(until: datetime) -> str:
    form = gettext("You're banned from chat until %(until)s. You can still play.")
    return form % {"until": date_time(until)}


def game_mark(game_key: str) -> str:
    """The name of a game, where people choose among several; "" on a site with only one."""
    return catalogue.of(game_key).words.name() if catalogue.has_several() else ""


def tempo(key: str) -> str:
    """The name of a tempo; "" for tables from before there was a choice."""
    names = {"relaxed": gettext("Relaxed"), "normal": gettext("Normal"), "fast": gettext("Fast")}
    return names.get(key, "")


def pace(seconds: int | None) -> str:
    """How long a turn may last; None is a table without a clock."""
    if seconds is None:
        return gettext("No time limit")
    if seconds < 120 or seconds % 60:
        form = ngettext("%(count)d second per turn", "%(count)d seconds per turn", seconds)
        return form % {"count": seconds}
    if seconds < 7200 or seconds % 3600:
        minutes = seconds // 60
        form = ngettext("%(count)d minute per turn", "%(count)d minutes per turn", minutes)
        return form % {"count": minutes}
    hours = seconds // 3600
    form = ngettext("%(count)d hour per turn", "%(count)d hours per turn", hours)
    return form % {"count": hours}
