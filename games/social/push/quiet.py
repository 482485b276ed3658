"""Quiet hours, in a person's own time zone, during which no push is sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from games.models import PushChoice


def zone_of(name: str) -> tzinfo:
    """The zone of this name; UTC if there is none."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def is_zone(name: str) -> bool:
    return name == "" or (len(name) <= 64 and zone_of(name) is not UTC)


def until(choice: PushChoice, now: datetime) -> datetime | None:
    """The end of the current quiet hours, in UTC; None if it isn't quiet now.

    From 22 to 8 spans midnight; from 8 to 8 means no quiet hours.
    """
    begin, end = choice.quiet_from, choice.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = now.astimezone(zone_of(choice.zone))
    is_on = begin <= local.hour < end if begin < end else not end <= local.hour < begin
    if not is_on:
        return None
    ends = local.replace(hour=end, minute=0, second=0, microsecond=0)
    if local.hour >= end:
        ends += timedelta(days=1)  # in local time, so it is right across a clock change
    return ends.astimezone(UTC)
