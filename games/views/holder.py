"""The holder that a table counts for: the client's address, as a keyed hash."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.requests import AnyUser

# Accounts older than this have their own limits, so guests of the same address can't use them up.
AGE: Final = timedelta(days=7)
# The actions with limits by address, and separate ones for such accounts.
SHARED: Final = frozenset({"open_table", "find_people"})
# Households get a whole IPv6 network of this prefix length, so its addresses count as one.
_IPV6_PREFIX: Final = 64


def client_address(request: HttpRequest) -> str:
    """The client's address, as allauth determines it behind proxies; "" if it is unknown."""
    try:
        address = get_adapter().get_client_ip(request)
    except (PermissionDenied, ImproperlyConfigured):  # no network, or fewer proxies than promised
        address = request.META.get("REMOTE_ADDR") or ""
    return network(str(address))


def network(address: str) -> str:
    """The network that counts as one client: an IPv4 address, or an IPv6 network.

    Other text is returned unchanged. Dual-stack sockets show IPv4 addresses as IPv6 addresses of
    one network, so these are converted back.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((parsed, _IPV6_PREFIX), strict=False).network_address)
    return str(parsed)


def holder(request: HttpRequest) -> str:
    """The key under which tables of this address are counted; "" if the address is unknown.

    The database never contains an address, only a keyed hash, which nobody can reverse by brute
    force without the secret key. Older accounts of an address share a separate quota, which guests
    cannot use up, although anybody can create many of them.
    """
    address = client_address(request)
    salt = "games.holder.accounts" if is_of_some_age(request.user) else "games.holder"
    return salted_hmac(salt, address).hexdigest()[:32] if address else ""


def home(request: HttpRequest) -> str:
    """The client's address as a keyed hash, by which a table knows who plays from one home; "" if
    it is unknown. Unlike `holder` it is the same for everybody there.
    """
    address = client_address(request)
    return home_of(address) if address else ""


def home_of(address: str) -> str:
    """The hash of an address (see `network`)."""
    return salted_hmac("games.home", address).hexdigest()[:32]


def is_of_some_age(user: AnyUser) -> bool:
    """Whether this is an account, not a guest, that is older than `AGE`."""
    return user.is_authenticated and not user.is_guest and timezone.now() - user.date_joined > AGE


def may(request: HttpRequest, action: str) -> bool:
    """Count an action such as opening a table; returns whether it is within the rate limit.

    The limits are allauth's, as for signing in. Their counters are in the cache that all processes
    share, under a lock, so that concurrent requests are counted one by one.
    """
    if action in SHARED and is_of_some_age(request.user):
        action += "_account"
    return bool(ratelimit.consume(request, action=action, key=holder(request)))
