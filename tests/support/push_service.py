"""A push service on this machine: it takes what is sent to browsers, and reads it as they would.

The other half of RFC 8291 (encryption) and RFC 8292 (who sends) is written out here, so that what
the site sends is held against the standard and not against the library that makes it.
"""

from __future__ import annotations

import json
import secrets
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


@dataclass
class Browser:
    """A subscription as a browser has it: an address at the service, and keys of its own."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def given(self) -> dict[str, str]:
        """What it tells the site."""
        p256dh = _text(_point(self.key.public_key()))
        return {"endpoint": self.endpoint, "p256dh": p256dh, "auth": _text(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        """What a push says (RFC 8291 with the one record of RFC 8188 that it allows)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + _point(self.key.public_key()) + sender
        seed = _derived(self.secret, shared, info, 32)
        content_key = _derived(salt, seed, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(salt, seed, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\x02"), "the last record says that it is the last"
        told: dict[str, Any] = json.loads(plain[:-1])
        return told


@dataclass
class Push:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    port: int
    certificate: Path
    taken: list[Push] = field(default_factory=list)
    # What it answers: to all, or by path.
    status: int = 201
    statuses: dict[str, int] = field(default_factory=dict)
    answer_headers: dict[str, str] = field(default_factory=dict)
    # How long it takes to answer: to all, or by path; and how many wait for it now, at most so far.
    waits: float = 0.0
    waits_at: dict[str, float] = field(default_factory=dict)
    most_waiting: int = 0

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def path_of(self, browser: Browser) -> str:
        return browser.endpoint.removeprefix(f"https://{self.host}")

    def browser(self) -> Browser:
        return Browser(f"https://{self.host}/push/{secrets.token_hex(8)}")

    def told(self, browser: Browser) -> list[dict[str, Any]]:
        """What this browser was told, the oldest first; who sent it is checked (RFC 8292)."""
        path = self.path_of(browser)
        return [browser.read(self.checked(each).body) for each in self.taken if each.path == path]

    def checked(self, push: Push) -> Push:
        scheme, _space, rest = push.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(fields["k"]))
        claims = jwt.decode(
            fields["t"], key, algorithms=["ES256"], audience="https://localhost"
        )  # also that it has not expired
        assert claims["exp"] <= datetime.now(UTC).timestamp() + 24 * 3600
        assert claims["sub"].startswith("mailto:")
        assert push.headers["content-encoding"] == "aes128gcm"
        assert int(push.headers["ttl"]) >= 0
        assert len(push.headers["topic"]) <= 32
        return push


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """A service that runs until the end; `SSL_CERT_FILE` must name its certificate."""
    certificate = _certificate(folder)
    waiting = 0

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.taken.append(Push(self.path, headers, body))
            nonlocal waiting
            waiting += 1
            service.most_waiting = max(service.most_waiting, waiting)
            sleep(service.waits_at.get(self.path, service.waits))
            waiting -= 1
            self.send_response(service.statuses.get(self.path, service.status))
            for name, value in service.answer_headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, folder / "push_service_key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service = PushService(server.server_address[1], certificate)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "push_service_key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    file = folder / "push_service.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return file
