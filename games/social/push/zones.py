"""The time zones that can be chosen, by continent, with one canonical name each."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel.core import get_global
from babel.dates import get_timezone_location
from django.utils.functional import Promise
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext_lazy as _

# The areas of the tz database; its other entries are abbreviations and zones without a place.
AREAS: Final[dict[str, Promise]] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific"),
}
# The zones that browsers report when they hide the real one; few other browsers report them.
HIDDEN: Final = ("", "UTC", "Etc/UTC", "Etc/GMT", "GMT", "Atlantic/Reykjavik")


def canonical(name: str) -> str:
    """The name under which a zone is listed: Asia/Kolkata for Asia/Calcutta, "" for UTC.

    A zone that is not listed keeps its name.
    """
    if name in ("UTC", "Etc/UTC"):
        return ""
    found: str = get_global("zone_aliases").get(name, name)
    return found if found in _listed() else name


def is_listed(name: str) -> bool:
    return name in _listed()


def choices(now: datetime) -> list[tuple[object, object]]:
    """UTC, then the zones of each area by place with their offset from UTC: a field's choices."""
    found: list[tuple[object, object]] = [("", "UTC")]
    places = _places(to_locale(get_language() or "en"))
    for area, label in sorted(AREAS.items(), key=lambda each: str(each[1])):
        rows = [(name, f"{place} ({_ahead(name, now)})") for name, place in places[area]]
        found.append((label, rows))
    return found


def place_of(name: str) -> str:
    """The name of a zone's place in the active language, for display."""
    if not is_listed(name):
        return name or "UTC"
    return str(
        get_timezone_location(name, locale=to_locale(get_language() or "en"), return_city=True)
    )


def differs(name: str, other: str, now: datetime) -> bool:
    """Whether clocks in these two zones show different times now. Both zones must exist."""
    offsets = {now.astimezone(ZoneInfo(each or "UTC")).utcoffset() for each in (name, other)}
    return len(offsets) > 1


@cache
def _listed() -> frozenset[str]:
    aliases, names = get_global("zone_aliases"), available_timezones()
    found = {aliases.get(each, each) for each in names if each.partition("/")[0] in AREAS}
    return frozenset(found & names)


@cache
def _places(locale: str) -> dict[str, list[tuple[str, str]]]:
    """The zones and their places by area, sorted alphabetically by place."""
    found: dict[str, list[tuple[str, str]]] = {area: [] for area in AREAS}
    for name in _listed():
        place = get_timezone_location(name, locale=locale, return_city=True)
        found[name.partition("/")[0]].append((name, str(place)))
    for rows in found.values():
        rows.sort(key=lambda each: unicodedata.normalize("NFKD", each[1]).casefold())
    return found


def _ahead(name: str, now: datetime) -> str:
    offset = now.astimezone(ZoneInfo(name)).utcoffset() or timedelta()
    hours, minutes = divmod(abs(int(offset.total_seconds())) // 60, 60)
    sign = "−" if offset < timedelta() else "+"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")
