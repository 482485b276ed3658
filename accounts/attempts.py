"""Limits on guessing passwords: a stranger locks out themselves, not the owner of the name.

All counters are allauth's, in the cache that the processes share; the rates are in
`perudo_site/ratelimit/settings.py`.
"""

from __future__ import annotations

from allauth.core.internal import ratelimit
from django.http import HttpRequest

from accounts import known_browsers, names
from accounts.models import User

# What to count an attempt as, in this order: (action, key).
Counters = list[tuple[str, str]]


def of(request: HttpRequest, *, name: str, person: User | None) -> Counters:
    """The counters of an attempt to sign in under `name`, which is `person`'s if there is one.

    A browser that has proved to be the owner's has a counter of its own. Others are counted by
    address, by name and address, and, with far more attempts, by name from all addresses together.
    """
    if person is not None and (own := _own_browser(request, person)):
        return [("login_failed_known", own)]
    key = names.key(name)
    return [
        ("login_failed", f"{key} {ratelimit.get_ip(request)}"),
        ("login_failed_name", key),
    ]


def count(request: HttpRequest, counters: Counters) -> ratelimit.RateLimitUsage | None:
    """Count an attempt, which can be taken back; None when there were too many already."""
    counted = ratelimit.RateLimitUsage(usage=[])
    for action, key in counters:
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if usage is None:
            return None
        counted.usage += usage.usage
    return counted


def _own_browser(request: HttpRequest, person: User) -> str:
    """What identifies a browser of this person; "" for any other."""
    if request.user == person:  # who is signed in confirms the password
        return f"session {request.session.session_key}"
    return known_browsers.known_as(request, person)
