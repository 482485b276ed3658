"""Whose account a table is put to: the client's address, as a keyed hash."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

# A household gets a whole IPv6 network of this prefix length: all its addresses count as one.
_IPV6_PREFIX: Final = 64


def client_address(request: HttpRequest) -> str:
    """The client's address, behind proxies as allauth sees it; "" when it is unknown."""
    try:
        address = get_adapter().get_client_ip(request)
    except (PermissionDenied, ImproperlyConfigured):  # no network, or fewer proxies than promised
        address = request.META.get("REMOTE_ADDR") or ""
    return network(str(address))


def network(address: str) -> str:
    """What counts as one client: an IPv4 address or an IPv6 network; other text as it is.

    A socket that listens on both kinds shows IPv4 addresses as IPv6 ones of a single network.
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
    """What the tables of this address are counted under; "" when it is unknown.

    The database never holds an address: without the secret key nobody can find it by trying all.
    """
    address = client_address(request)
    return salted_hmac("games.holder", address).hexdigest()[:32] if address else ""
