"""How much one person, or one address, may do in a minute: nobody holds up the others.

Each process counts for itself, because what is guarded is the process: nothing is asked over the
network, so a move pays some microseconds, and there is nothing that could be away. What must hold
over all processes (passwords tried, accounts made, words said) allauth counts in their cache.
"""

from __future__ import annotations

from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from throttled import MemoryStore, RateLimiterType, Throttled, per_min

# A household is given a whole network of so many bits: all its addresses are one.
_HOUSEHOLD: Final = 64

# People and addresses whose counts are kept; after so many, who was not seen for longest is new.
_REMEMBERED: Final = 50_000


def may(what: str, who: str, *, a_minute: int) -> bool:
    """Whether `who` may do `what` once more now; if so, it is counted.

    So many may be done at once, and then as many in every minute.
    """
    return not _rate(a_minute).limit(f"{what} {who}").limited


def forget() -> None:
    """Count from nothing again."""
    _rate.cache_clear()


@cache
def _rate(a_minute: int) -> Throttled:
    return Throttled(
        using=RateLimiterType.GCRA.value,
        quota=per_min(a_minute, burst=a_minute),
        store=MemoryStore(options={"MAX_SIZE": _REMEMBERED}),
    )


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, behind proxies as allauth sees it; "" when nobody can tell."""
    try:
        address = get_adapter().get_client_ip(request)
    except (PermissionDenied, ImproperlyConfigured):  # no network, or fewer proxies than promised
        address = request.META.get("REMOTE_ADDR") or ""
    try:
        parsed = ip_address(address)
    except ValueError:
        return str(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, _HOUSEHOLD), strict=False).network_address)
    return str(parsed)
