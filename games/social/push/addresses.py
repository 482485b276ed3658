"""Validation of a browser's address at its push service, which comes from an untrusted client.

The server posts to this address. It must be one of a push service that the host of the site knows
(PUSH_SERVICES), over HTTPS, so that nobody can make the server send requests to any machine.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django.conf import settings

from games.models.push import LONGEST_ENDPOINT

_SECRET_BYTES: Final = 16  # RFC 8291, section 3.2
_LABEL: Final = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# A host name and an optional port, as browsers write them: no brackets, user or final dot.
_HOST: Final = re.compile(rf"({_LABEL}(?:\.{_LABEL})*)(?::([0-9]{{1,5}}))?")


def is_known(endpoint: str) -> bool:
    """Whether this is a well-formed address at a known push service."""
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        return False
    if any(each in endpoint for each in ' \\"<>#') or not endpoint.startswith("https://"):
        return False
    return bool(pattern_of(endpoint))


def pattern_of(endpoint: str) -> str:
    """The pattern in PUSH_SERVICES that this address matches; "" for none."""
    try:
        found = _HOST.fullmatch(urlsplit(endpoint).netloc)
    except ValueError:  # brackets that hold no address
        return ""
    return "" if found is None else pattern_at(found[1], int(found[2] or 443))


def pattern_at(host: str, port: int) -> str:
    """The pattern in PUSH_SERVICES that a host and a port match; "" for none."""
    return next((each for each in settings.PUSH_SERVICES if _fits(host, port, each)), "")


def service_of(endpoint: str) -> str:
    """The host of an address, for display."""
    return urlsplit(endpoint).hostname or ""


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether these are a public key on P-256 and a secret in base64url, as browsers send them."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == _SECRET_BYTES
    except (ValueError, Error):
        return False


def _fits(host: str, port: int, service: str) -> bool:
    """Whether a host and a port match `service`: a host or `*.domain`, and `:port` unless 443."""
    name, _colon, wanted = service.partition(":")
    if port != int(wanted or 443):
        return False
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _decoded(text: str) -> bytes:
    if len(text) > 100 or not text.isascii():
        raise ValueError(text)
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
