"""Keys on the curve P-256, with which a site signs its pushes (RFC 8292)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

_BYTES = 32  # length of a private key


@dataclass(frozen=True, slots=True)
class Key:
    """A key pair in the encodings that are needed."""

    private_key: bytes = field(repr=False)  # PEM
    public_key_pem: bytes
    public_key: str  # base64url, as sent to browsers


@lru_cache(maxsize=4)
def key_of(text: str) -> Key:
    """Parse a private key in PEM, or in base64url as many tools print it. Raises ValueError."""
    private = _parsed(text)
    if private is None:
        raise ValueError("no private key on the curve P-256")
    public = private.public_key()
    point = public.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return Key(
        private_key=_pem(private).encode(),
        public_key_pem=public.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
        public_key=urlsafe_b64encode(point).rstrip(b"=").decode(),
    )


def new_key() -> str:
    """A new private key in PEM."""
    return _pem(ec.generate_private_key(ec.SECP256R1()))


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


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
