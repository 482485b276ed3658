"""Meeting hours: parsing the setting MEETING_HOURS, and the time of the next meeting."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# How long a meeting counts as on; the reminder's entry in a calendar lasts an hour.
LASTS: Final = timedelta(minutes=30)

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FORM: Final = re.compile(r"(?:(?P<days>[A-Za-z,-]+)\s+)?(?P<clock>\d{1,2}:\d{2})\s+(?P<zone>\S+)")


@dataclass(frozen=True, slots=True)
class MeetingHour:
    """A time of day in a time zone, on some days of the week (0 is Monday)."""

    clock: time
    zone: ZoneInfo
    days: frozenset[int]

    def begins(self, now: datetime) -> datetime:
        """The start of the current meeting, or else of the next one, in UTC.

        A time that clocks skip in spring is an hour later; for one that they repeat in autumn, it
        is the first.
        """
        today = now.astimezone(self.zone).date()
        for ahead in range(-1, 8):
            day = today + timedelta(days=ahead)
            at = datetime.combine(day, self.clock, tzinfo=self.zone).astimezone(UTC)
            if day.weekday() in self.days and now < at + LASTS:
                return at
        raise AssertionError("a week has every day")


@dataclass(frozen=True, slots=True)
class Meeting:
    """The current meeting, or the next one."""

    at: datetime  # in UTC
    zone: ZoneInfo  # in which the host named it


def parse(text: str) -> tuple[MeetingHour, ...]:
    """Parse a text such as `20:00 Europe/Paris; Sat,Sun 15:00 Europe/Paris`.

    Without days it means every day; Mon-Fri is a range. Raises ValueError for any other text.
    """
    return tuple(_hour(part.strip()) for part in text.split(";") if part.strip())


def next_meeting(hours: Iterable[MeetingHour], now: datetime) -> Meeting | None:
    """The current meeting, or the one that comes first; None without meeting hours."""
    found = [Meeting(hour.begins(now), hour.zone) for hour in hours]
    return min(found, key=lambda meeting: meeting.at, default=None)


def _hour(text: str) -> MeetingHour:
    parts = _FORM.fullmatch(text)
    if parts is None:
        raise ValueError(text)
    hours, minutes = parts["clock"].split(":")
    try:
        zone = ZoneInfo(parts["zone"])
    except (ZoneInfoNotFoundError, OSError) as unknown:
        raise ValueError(text) from unknown
    days = frozenset(_days(parts["days"].lower())) if parts["days"] else frozenset(range(7))
    return MeetingHour(time(int(hours), int(minutes)), zone, days)


def _days(text: str) -> Iterable[int]:
    for part in text.split(","):
        first, _dash, last = part.partition("-")
        begin, end = _DAYS.index(first), _DAYS.index(last or first)
        yield from ((begin + step) % 7 for step in range((end - begin) % 7 + 1))
