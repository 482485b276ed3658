"""How long what the site stores about people stays, in words: by what its jobs delete it by."""

from __future__ import annotations

from datetime import timedelta

from allauth.account import app_settings
from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings

from accounts import errands, held_names, known_browsers, outbox, retention, sign_in_codes
from games import words
from games.chat import retention as chat
from games.inbox import retention as inbox
from games.matching import queue
from games.play import next_tables
from games.push import subscriptions as push
from games.standing import services as standing


def in_words() -> dict[str, str]:
    """The periods for the privacy page; "" for what the host has not said."""
    periods = {
        "messages": chat.MESSAGES_FOR,
        "reports": chat.REPORTS_FOR,
        "notifications": inbox.ENTRIES_FOR,
        "sessions": timedelta(seconds=settings.SESSION_COOKIE_AGE),
        "known_browsers": known_browsers.LASTS,
        "emails": outbox.KEPT_FOR,
        # A code that is too old waits for the job that deletes it.
        "codes": sign_in_codes.VALID + retention.EVERY,
        "errands": errands.LASTS,
        "searches": queue.REMEMBERED,
        "next_seats": next_tables.WISHED_FOR,
        "standing_tables": standing.COUNTED_FOR,
        "browsers": push.COUNTED_FOR,
        "deleted_names": held_names.HELD_FOR,
        "addresses": _longest_count_of_an_address(),
        "logs": timedelta(days=settings.LOG_DAYS),
        "backups": timedelta(days=settings.BACKUP_DAYS),
    }
    return {name: words.length(period) if period else "" for name, period in periods.items()}


def _longest_count_of_an_address() -> timedelta:
    """How long a counter of the rate limits is kept that has an address in its key."""
    rates = [rate for each in app_settings.RATE_LIMITS.values() for rate in parse_rates(each)]
    by_address = [rate.duration for rate in rates if rate.per in ("ip", "key")]
    return timedelta(seconds=max(by_address, default=0))
