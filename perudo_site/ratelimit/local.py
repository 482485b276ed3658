"""Rate limits per user and per client address, counted in the memory of this process.

They protect the process itself, so counting locally is right: a check costs some microseconds and
depends on no service. Limits over all processes (passwords tried, accounts created, chat messages)
are counted by allauth in the cache that processes share.
"""

from __future__ import annotations

from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from throttled import MemoryStore, RateLimiterType, Throttled, per_min

# A household gets a whole IPv6 network of this prefix length: all its addresses count as one.
_IPV6_PREFIX: Final = 64

# Keys whose counts are kept; beyond that, the least recently seen starts again.
_MAX_KEYS: Final = 50_000


def allow(action: str, key: str, *, per_minute: int) -> bool:
    """Whether `key` (a user, an address, a connection) may do `action` now; counts it if so.

    Allows a burst of `per_minute`, and that many per minute from then on.
    """
    return not _limiter(per_minute).limit(f"{action} {key}").limited


def reset() -> None:
    """Forget all counts."""
    _limiter.cache_clear()


@cache
def _limiter(per_minute: int) -> Throttled:
    return Throttled(
        using=RateLimiterType.GCRA.value,
        quota=per_min(per_minute, burst=per_minute),
        store=MemoryStore(options={"MAX_SIZE": _MAX_KEYS}),
    )


def client_address(request: HttpRequest) -> str:
    """The client's address, behind proxies as allauth sees it; "" when it is unknown."""
    try:
        address = get_adapter().get_client_ip(request)
    except (PermissionDenied, ImproperlyConfigured):  # no network, or fewer proxies than promised
        address = request.META.get("REMOTE_ADDR") or ""
    try:
        parsed = ip_address(address)
    except ValueError:
        return str(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, _IPV6_PREFIX), strict=False).network_address)
    return str(parsed)
