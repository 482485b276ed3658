"""The next meeting in words, and as a reminder for a calendar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from babel.dates import format_datetime
from django.conf import settings
from django.utils.translation import get_language, gettext
from icalendar import Alarm, Calendar, Event

from games.notify.hours import Meeting, next_meeting

# Meetings further ahead than this are shown with the name of the day.
SOON: Final = timedelta(hours=18)
_LASTS: Final = timedelta(hours=1)
_REMINDS: Final = timedelta(minutes=-10)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownMeeting:
    """The next meeting, for `games/_meeting.html`.

    Times are in the time zone of the setting, with its name; a script shows the local ones.
    """

    at: datetime
    ms: int
    said: str
    zone: str
    left: str
    forms: Mapping[str, str]
    is_on: bool


def shown(now: datetime) -> ShownMeeting | None:
    """The next meeting; None on a site without meeting hours."""
    meeting = next_meeting(settings.MEETING_HOURS, now)
    if meeting is None:
        return None
    local, left = meeting.at.astimezone(meeting.zone), meeting.at - now
    form = "HH:mm" if left < SOON else "EEEE HH:mm"
    return ShownMeeting(
        at=meeting.at,
        ms=int(meeting.at.timestamp() * 1000),
        said=format_datetime(local, form, tzinfo=meeting.zone, locale=get_language() or "en"),
        zone=str(meeting.zone),
        left=in_words(left),
        forms=_forms(),
        is_on=left <= timedelta(0),
    )


def _forms() -> dict[str, str]:
    """The forms of a time span, by its largest unit; a script fills them in too."""
    return {
        "days": gettext("in %(days)s d %(hours)s h"),
        "hours": gettext("in %(hours)s h %(minutes)s min"),
        "minutes": gettext("in %(minutes)s min"),
    }


def in_words(left: timedelta) -> str:
    """A time span in words, such as "in 2 h 14 min"."""
    forms = _forms()
    minutes = max(1, -(-int(left.total_seconds()) // 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return forms["days"] % {"days": days, "hours": hours}
    if hours:
        return forms["hours"] % {"hours": hours, "minutes": minutes % 60}
    return forms["minutes"] % {"minutes": minutes}


def reminder(meeting: Meeting, *, site: str, now: datetime) -> bytes:
    """A calendar of one event (RFC 5545), with an alarm ten minutes before.

    `site` is the origin at which people meet, without a trailing slash.
    """
    title = gettext("Play with people: %(site)s") % {"site": settings.SITE_NAME}
    host = site.partition("://")[2]
    event = Event()
    # Every download of a meeting has the same UID, so that no calendar shows it twice.
    event.add("uid", f"{meeting.at:%Y%m%dT%H%M%SZ}-meeting@{host}")
    event.add("dtstamp", now.astimezone(UTC))
    event.add("dtstart", meeting.at)
    event.add("dtend", meeting.at + _LASTS)
    event.add("summary", title)
    event.add("url", f"{site}/")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", title)
    alarm.add("trigger", _REMINDS)
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.SITE_NAME}//meeting hours//")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
