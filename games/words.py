"""Texts shared by all games, in the active language: refusals, tempos, durations, chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext, ngettext, ngettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.contract import catalogue
from games.regional_formats import date_time, number
from games.whole_numbers import whole

SITE: Final = {
    "stale": _("Too late: the game has moved on. Please choose again."),
    "someone_faster": _("Too late: the game has moved on. Please choose again."),
    "not_seated": _("You're not at this table, but you can watch."),
    "not_playing": _("This game isn't in progress."),
    "not_open": _("This table is no longer open. Choose another one or create your own."),
    "begins": _("The game is about to begin."),
    "wrong_salt": _("Another browser of yours has added its part to this table."),
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
    "table_plays": _("A game is in progress at this table."),
    "guests_keep_none": _("You need an account to keep a table. Choose a password first."),
    "too_many_standing": ngettext_lazy(
        "You already have %(most)d table. Delete it first.",
        "You already have %(most)d tables. Delete one first.",
        "most",
    ),
    "too_many_changes": _("You've changed your tables a lot lately. Please wait a while."),
    "already_begun": _("The rematch has begun without you, but you can watch."),
    "not_over": _("This game isn't over yet."),
    "still_playing": _("You're still in this game. When you're out you can ask for the next one."),
    "next_full": _("All seats at the next table are taken. You can watch or choose another one."),
    "too_many_rematches": _("You've changed your mind a lot. Wait a few minutes."),
    "people_play": _("Not everyone is out yet. You can skip once only bots are left."),
    "too_many_parts": _(
        "This browser has added to too many tables lately. You can play all the same."
    ),
    "too_many_skips": _("Wait a moment before you skip again."),
    "with_people": _("There are other people in this game. Find a new one under Tables."),
    "character_here": _("This character is already at the table. Choose another bot."),
    "unknown_bot": _("That bot doesn't exist. Choose one from the list."),
    "too_many_seats": _("You're at too many tables. Finish or leave one first."),
    "too_many_tables": _("You have too many open tables. Start or close one first."),
    "too_many_games": _(
        "You've started a lot of games in the last few minutes. Please wait a little."
    ),
    "too_many_here": _(
        "Too many tables are in use from your network. Finish or close one, or try again later."
    ),
    "private_game": _("Only the players of a private game can ask about it."),
    "private_moment": _("Only the players of a private game can try again from it."),
    "nothing_to_decide": _("There's nothing to decide at this point. Choose a player's move."),
    "guests_have_none": _("You need an account to add friends. Choose a password first."),
    "not_friends": _("You can only invite friends."),
    "all_seats_taken": _("All seats are taken."),
    "you_blocked_them": _("You've blocked this player. Unblock them first."),
    "not_asked": _("That question isn't there anymore."),
    "too_many_friends": _("One of you already has as many friends as the site allows."),
    "too_many_questions": _("Too many people haven't answered yet. Please wait a while."),
    "push_unknown": _(
        "Notifications don't work with this browser: we don't know its push service."
    ),
    "too_many_browsers": _(
        "Notifications are on in too many browsers of your network. Turn one off first."
    ),
    "paused": _("This game is paused because the site is full. It continues when there's room."),
    "site_busy": _(
        "The site is busy: too many games are in progress. Please try again in a few minutes."
    ),
    "removed": _("The host removed you from this table. You can watch or choose another one."),
    "seats_kept": _(
        "For a moment the free seats are kept for the players of the last game. "
        "You can watch or choose another table."
    ),
    "blocked": _("You can't join this table."),
    "blocked_here": _("You've blocked somebody at this table: %(names)s."),
    "quick_table": _("Press “Play with people” to join a table like this one."),
    "at_a_table": _("You're at a table."),
    "not_in_line": _("You're no longer in line. Press “Play with people” again."),
    "leaves_too_often": _(
        "You've left several games just before they began. Please wait a few minutes."
    ),
    "too_many_searches": _("You've looked for people very often. Please wait a few minutes."),
    "unknown_game": _("That game doesn't exist. Choose one from the list."),
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
    code: str, details: Mapping[str, Any] | None = None, *, kind_key: str | None = None
) -> str:
    """Return the sentence for a refusal by the site, or by the rules of the game `kind_key`.

    `details` are those of the refusal. Raises KeyError for an unknown code.
    """
    until = (details or {}).get("until")
    if until and code == "silenced":
        return _silenced(datetime.fromisoformat(str(until)))
    if code == "too_few":
        return str(SITE[code] % {"least": (details or {}).get("least", 2)})
    if code == "blocked_here":
        return str(SITE[code] % {"names": (details or {}).get("names", "")})
    if code == "too_many_standing":
        return str(SITE[code] % {"most": (details or {}).get("most", 1)})
    if code in SITE:
        return str(SITE[code])
    if kind_key is None:
        raise KeyError(code)
    return catalogue.of(kind_key).words.reason(code, details)


def _silenced(until: datetime) -> str:
    form = gettext("You're banned from chat until %(until)s. You can still play.")
    return form % {"until": date_time(until)}


def game_mark(kind_key: str) -> str:
    """Return the name of a game, or "" on a site with only one game."""
    return catalogue.of(kind_key).words.name() if catalogue.has_several() else ""


def site_name(kind_key: str) -> str:
    """Return the site's name on pages of a game: the game's name if the site is named after one."""
    names = {kind.words.name() for kind in catalogue.every()}
    return (
        catalogue.of(kind_key).words.name() if settings.SITE_NAME in names else settings.SITE_NAME
    )


def ordinal(place: int) -> str:
    """Format a place at the end of a game, from 1 to 8: 1st."""
    return str(_ORDINALS[place - 1])


# They agree with the noun in each language: 1st place, 1re place, 1º posto, 1.er puesto.
_ORDINALS: Final = (
    pgettext_lazy("place in a ranking", "1st"),
    pgettext_lazy("place in a ranking", "2nd"),
    pgettext_lazy("place in a ranking", "3rd"),
    pgettext_lazy("place in a ranking", "4th"),
    pgettext_lazy("place in a ranking", "5th"),
    pgettext_lazy("place in a ranking", "6th"),
    pgettext_lazy("place in a ranking", "7th"),
    pgettext_lazy("place in a ranking", "8th"),
)


def length(lasted: timedelta) -> str:
    """Format the duration of a game: 12 min, 1 h 5 min, 3 days."""
    minutes = max(1, round(lasted.total_seconds() / 60))
    if minutes < 60:
        return gettext("%(minutes)d min") % {"minutes": minutes}
    hours, minutes = divmod(minutes, 60)
    if hours < 24 and not minutes:
        return gettext("%(hours)d h") % {"hours": hours}
    if hours < 24:
        return gettext("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    days = round(hours / 24)
    return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}


def tempo(key: str) -> str:
    """Return the name of a tempo; "" for tables older than this setting."""
    names = {"relaxed": gettext("Relaxed"), "normal": gettext("Normal"), "fast": gettext("Fast")}
    return names.get(key, "")


def pace(seconds: int | None) -> str:
    """Format the time limit of a turn in seconds; None: no time limit."""
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


# --- how likely something was ---------------------------------------------------------------------

# A chance is called likely from LIKELY on, unlikely below UNLIKELY, and even between them. These
# words are no verdict on a move: a good bid may be unlikely.
LIKELY: Final = 0.6
UNLIKELY: Final = 0.4


def likelihood(chance: float) -> str:
    """Return one word for a probability: "likely", "even" or "unlikely"."""
    if chance >= LIKELY:
        return pgettext("a chance", "likely")
    return pgettext("a chance", "unlikely") if chance < UNLIKELY else pgettext("a chance", "even")


def percent(chance: float) -> str:
    """Format a probability in whole percents; 0 and 100 are used only for certainty."""
    return _percent(chance, round(chance * 100))


def percents(chances: Sequence[float]) -> list[str]:
    """Format probabilities that sum to 1 in whole percents that sum to 100."""
    total = sum(chances) or 1.0
    found = [100 * chance / total for chance in chances]
    return [_percent(*each) for each in zip(chances, whole(found, round(sum(found))), strict=True)]


def _percent(chance: float, whole: int) -> str:
    if whole == 0 and chance > 0:
        return gettext("<1%")
    if whole == 100 and chance < 1:
        return gettext(">99%")
    return gettext("%(percent)d%%") % {"percent": whole}


def signed(points: int) -> str:
    """Format a change in whole points: "+3", "−3", "0"."""
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return f"{sign}{number(abs(points))}"


def counted_errors(*, inaccuracies: int, mistakes: int, blunders: int) -> list[str]:
    """Count the errors of each kind that was made, the worst kind last."""
    counted = (
        (
            inaccuracies,
            ngettext("%(count)s inaccuracy", "%(count)s inaccuracies", inaccuracies),
        ),
        (mistakes, ngettext("%(count)s mistake", "%(count)s mistakes", mistakes)),
        (blunders, ngettext("%(count)s blunder", "%(count)s blunders", blunders)),
    )
    return [text % {"count": number(count)} for count, text in counted if count]


def thinking_time(seconds: float) -> str:
    """Format a thinking time for a column: "<1 s", "12 s", "3 min", "2 h"."""
    if seconds < 1:
        return gettext("<1 s")
    if seconds < 60:
        return gettext("%(count)d s") % {"count": seconds}
    if seconds < 3600:
        return gettext("%(count)d min") % {"count": seconds // 60}
    return gettext("%(count)d h") % {"count": seconds // 3600}
