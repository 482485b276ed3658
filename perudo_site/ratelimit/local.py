"""Rate limits per user and per client address, counted in the memory of this process.

They protect the process itself, so local counts suffice: a check takes some microseconds and
depends on no service. Limits over all processes (passwords tried, accounts created, chat messages)
are counted by allauth in the cache that processes share.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from throttled import MemoryStore, RateLimiterType, Throttled, per_min

from games.views.holder import client_address, network

__all__ = ["address_of", "allow", "client_address", "is_exhausted", "network", "reset"]

# The maximum number of counted keys; beyond it, the least recently seen key is forgotten.
_MAX_KEYS: Final = 50_000


def allow(action: str, key: str, *, per_minute: int, burst: int = 0) -> bool:
    """Whether `key` (a user, an address, a connection) may do `action` now; count it if so.

    Allow `burst` at once, by default `per_minute`, and `per_minute` per minute from then on.
    """
    return not _limiter(per_minute, burst or per_minute).limit(f"{action} {key}").limited


def is_exhausted(action: str, key: str, *, per_minute: int) -> bool:
    """Whether `allow` would refuse now, without counting."""
    return _limiter(per_minute, per_minute).peek(f"{action} {key}").remaining == 0


def allow_opening(per: str, key: str) -> bool:
    """Whether a socket may be opened, or a page may look, which costs the same; count it if so.

    `per` is "PERSON" or "ADDRESS", the end of the settings' names. The burst is the number of
    sockets that may be open, since all of them reconnect after a restart.
    """
    per_minute: int = getattr(settings, f"OPENINGS_PER_{per}")
    burst = min(per_minute, getattr(settings, f"SOCKETS_PER_{per}"))
    return allow(f"open.{per}", key, per_minute=per_minute, burst=burst)


def reset() -> None:
    """Forget all counts."""
    _limiter.cache_clear()


@cache
def _limiter(per_minute: int, burst: int) -> Throttled:
    return Throttled(
        using=RateLimiterType.GCRA.value,
        quota=per_min(per_minute, burst=burst),
        store=MemoryStore(options={"MAX_SIZE": _MAX_KEYS}),
    )


def address_of(scope: dict[str, Any]) -> str:
    """Return the `client_address` of an ASGI scope, before a request exists; "" if unknown."""
    forwarded = b""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        found = (value for name, value in scope["headers"] if name == b"x-forwarded-for")
        forwarded = b",".join(found)
    peer = (scope.get("client") or ("",))[0]
    return _address(peer, forwarded, settings.ALLAUTH_TRUSTED_PROXY_COUNT)


@lru_cache(maxsize=10_000)  # allauth's parser costs six times as much as the rest of a check
def _address(peer: str, forwarded: bytes, proxies: int) -> str:
    request = HttpRequest()
    request.META = {"REMOTE_ADDR": peer}
    if proxies and forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded.decode("latin-1")
    return client_address(request)
