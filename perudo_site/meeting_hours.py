"""Parser of the setting MEETING_HOURS."""

from __future__ import annotations

from games.notify.hours import MeetingHour, parse
from perudo_site import env


def meeting_hours(name: str) -> tuple[MeetingHour, ...]:
    """Return the hours at which people meet, such as `20:00 Europe/Paris`; empty when unset."""
    text = env.string(name, "")
    try:
        return parse(text)
    except ValueError:
        raise env.InvalidSetting(
            f"{name} must look like “20:00 Europe/Paris” or “Mon-Fri 20:00 Europe/Paris; "
            f"Sat,Sun 15:00 Europe/Paris”, not “{text}”."
        ) from None
