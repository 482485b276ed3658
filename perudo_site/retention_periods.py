"""Retention periods of personal data in words, from the constants by which jobs delete it."""

from __future__ import annotations

from datetime import timedelta

from allauth.account import app_settings
from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings

from accounts import held_names, known_browsers, outbox, retention, sign_in_codes, stored_posts
from games import words
from games.lobby.matching import queue
from games.lobby.standing import ownership as standing
from games.play import next_tables
from games.social.chat import retention as chat
from games.social.inbox import retention as inbox
from games.social.push import subscriptions as push


def in_words() -> dict[str, str]:
    """Return the periods for the privacy page; "" for those that the host has not set."""
    periods = {
        "messages": chat.MESSAGES_FOR,
        "reports": chat.REPORTS_FOR,
        "notifications": inbox.ENTRIES_FOR,
        "sessions": timedelta(seconds=settings.SESSION_COOKIE_AGE),
        "known_browsers": known_browsers.LASTS,
        "emails": outbox.KEPT_FOR,
        # An expired code remains until the job deletes it.
        "codes": sign_in_codes.VALID + retention.EVERY,
        "stored_posts": stored_posts.LASTS,
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
    """Return the longest lifetime of a rate limit counter with an address in its key."""
    rates = [rate for each in app_settings.RATE_LIMITS.values() for rate in parse_rates(each)]
    by_address = [rate.duration for rate in rates if rate.per in ("ip", "key")]
    return timedelta(seconds=max(by_address, default=0))
