"""Rate limits of passwords, codes and resets, by which a stranger cannot lock out an owner.

All counters are allauth's, in the cache that the processes share; the rates are in
`perudo_site/ratelimit/settings.py`.
"""

from __future__ import annotations

from allauth.core.internal import ratelimit
from django.http import HttpRequest

from accounts import known_browsers, names, outbox
from accounts.models import User

# The counters of an attempt, in the order in which they are consumed: (action, key).
Counters = list[tuple[str, str]]


def of(request: HttpRequest, *, name: str, person: User | None) -> Counters:
    """Return the counters of an attempt to sign in under `name`; `person` is its account, if any.

    A browser that has proved to be the owner's has a separate counter. Others are counted by client
    address, by name and address, and, with a much higher limit, by name over all addresses.
    """
    if person is not None and (own := _own_browser(request, person)):
        return [("login_failed_known", own)]
    key = names.key(name)
    return [
        ("login_failed", f"{key} {ratelimit.get_ip(request)}"),
        ("login_failed_name", key),
    ]


def asks_for(request: HttpRequest, action: str, *, typed: str) -> tuple[bool, str]:
    """Count a request for an email like a sign-in attempt; return if it is allowed, and the asker.

    `action`: `login_code` or `reset`. The outbox counts emails by asker: a hash of the client
    address, or KNOWN for a browser in which the account has been signed in.
    """
    owner = known_browsers.known_owner(request, typed)
    if owner is not None:
        counters, asker = [(f"{action}_known", owner[1])], outbox.KNOWN
    else:
        key, address = names.key(typed[: names.LONGEST_TYPED]), ratelimit.get_ip(request)
        counters = [(action, f"{key} {address}"), (f"{action}_name", key)]
        asker = outbox.asker_at(address)
    return count(request, counters) is not None, asker


def count(request: HttpRequest, counters: Counters) -> ratelimit.RateLimitUsage | None:
    """Count an attempt; return its usage, which can be reverted, or None if over the limit."""
    counted = ratelimit.RateLimitUsage(usage=[])
    for action, key in counters:
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if usage is None:
            return None
        counted.usage += usage.usage
    return counted


def _own_browser(request: HttpRequest, person: User) -> str:
    """Return the identity of a browser known to be this person's; "" for any other."""
    if request.user == person:  # a signed-in user confirms the password
        return f"session {request.session.session_key}"
    return known_browsers.known_as(request, person)
