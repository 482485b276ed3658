"""The address of a browser at its push service: it comes from a stranger, so it is checked.

The server posts to it. It must be one of a push service that the host of the site knows
(PUSH_SERVICES), over HTTPS; so nobody can make the server ask a machine of their choice.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django.conf import settings

from games.models.push import LONGEST_ENDPOINT

_SECRET_BYTES: Final = 16  # RFC 8291, section 3.2


def is_known(endpoint: str) -> bool:
    """Whether this is an address at a known push service, in the form they have."""
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        return False
    if any(each in endpoint for each in " \\"):
        return False
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", 443 if parts.port is None else parts.port
    except ValueError:
        return False
    if parts.scheme != "https" or "@" in parts.netloc or parts.fragment:
        return False
    return any(_fits(host, port, service) for service in settings.PUSH_SERVICES)


def service_of(endpoint: str) -> str:
    """The host of an address, for people to read."""
    return urlsplit(endpoint).hostname or ""


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether these are a public key on P-256 and a secret, in base64url, as a browser gives."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == _SECRET_BYTES
    except (ValueError, Error):
        return False


def _fits(host: str, port: int, service: str) -> bool:
    """`service` is a host, or `*.` and a domain; with `:` and a port where that is not 443."""
    name, _colon, wanted = service.partition(":")
    if port != int(wanted or 443):
        return False
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _decoded(text: str) -> bytes:
    if len(text) > 100 or not text.isascii():
        raise ValueError(text)
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
