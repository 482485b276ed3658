"""Settings by the host: operator, contact, retention outside the site, hours and push services."""

from __future__ import annotations

from perudo_site import env, push_settings
from perudo_site.meeting_hours import meeting_hours

IMPRINT = env.lines("IMPRINT", most=12)  # empty: there is no imprint page
CONTACT_EMAIL = env.mailbox("CONTACT_EMAIL")
LOG_DAYS = env.integer("LOG_DAYS", 0, least=0, most=3650)  # 0: not on the privacy page
BACKUP_DAYS = env.integer("BACKUP_DAYS", 0, least=0, most=3650)

# Hours at which people meet to play: if nobody waits, the lobby shows them and the time until then.
MEETING_HOURS = meeting_hours("MEETING_HOURS")

# The hour, in UTC, at which the question of the day changes: early in the morning in Europe.
DAILY_HOUR = env.integer("DAILY_HOUR", 4, least=0, most=23)

# The push services that the site may post to; every other address is refused.
PUSH_SERVICES: list[str] = push_settings.services("PUSH_SERVICES")
