"""Settings of web push: the key of this site, and the push services that it may post to."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from perudo_site import env, key_files

# Those of Chrome and most others, Firefox, Safari and Edge.
SERVICES = "fcm.googleapis.com *.push.services.mozilla.com *.push.apple.com *.notify.windows.com"
_BYTES = 32  # of a private key on P-256
_SERVICE = re.compile(r"((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+|localhost)(:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who sends, as push services are told (RFC 8292)."""

    contact: str  # the address at which push services reach the host
    private_key: bytes  # PEM
    public_key_pem: bytes
    public_key: str  # as browsers are given it: base64url


def read(folder: Path, contacts: Iterable[str]) -> Identity:
    """How this site says who it is; its key is kept in `folder`.

    `contacts`: addresses at which push services may reach the host; they are told the first.
    """
    key = signing_key("PUSH_KEY", file=folder / "push_key")
    public = key.public_key()
    point = public.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return Identity(
        contact=next(found for each in contacts if (found := parseaddr(each)[1])),
        private_key=_pem(key).encode(),
        public_key_pem=public.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
        public_key=urlsafe_b64encode(point).rstrip(b"=").decode(),
    )


def services(name: str) -> list[str]:
    """Hosts, as in `push.example` or `*.push.example`, and `:` and a port where that is not 443;
    none where the variable is `none`: the site sends nothing then.
    """
    found = env.string(name, SERVICES).lower().replace(",", " ").split()
    if found == ["none"]:
        return []
    for each in found:
        if not _SERVICE.fullmatch(each):
            raise env.InvalidSetting(f"{name} must be hosts of push services, not “{each}”.")
    return found


def signing_key(name: str, *, file: Path) -> ec.EllipticCurvePrivateKey:
    """The private key with which pushes are signed (RFC 8292), on the curve P-256.

    As set, in PEM or as the 32 bytes in base64url that many tools print, or generated once and kept
    in `file` (mode 0600).
    """
    key = _parsed(env.string(name, "") or key_files.kept(file, _new))
    if key is None:
        raise env.InvalidSetting(
            f"{name} must be a private key on the curve P-256, in PEM or in base64url; so must be "
            f"what “{file}” holds where it is not set."
        )
    return key


def _parsed(text: str) -> ec.EllipticCurvePrivateKey | None:
    try:
        if not text.startswith("-----"):
            raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            if len(raw) != _BYTES:
                return None
            return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())
        key = serialization.load_pem_private_key(text.encode(), password=None)
    except (ValueError, TypeError, Error, UnsupportedAlgorithm):
        return None
    is_right = isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name == "secp256r1"
    return key if is_right else None  # type: ignore[return-value]


def _new() -> str:
    return _pem(ec.generate_private_key(ec.SECP256R1()))


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
