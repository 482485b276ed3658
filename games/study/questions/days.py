"""The days of the question of the day; each begins at the same time for everybody."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings

SUNDAY: Final = 6  # as `date.weekday` counts


def day_of(now: datetime) -> date:
    """The current day, which began at the hour DAILY_HOUR in UTC."""
    return (now.astimezone(UTC) - timedelta(hours=settings.DAILY_HOUR)).date()


def begins(day: date) -> datetime:
    """The time at which a day begins, in UTC."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight + timedelta(hours=settings.DAILY_HOUR)


def parse(text: str) -> date | None:
    """The day of an address such as 2026-11-27; None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None
