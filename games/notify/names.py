"""DNS look-ups of push services, in which a name server that does not answer delays nothing else.

`getaddrinfo` cannot be cancelled, and without an answer it takes half a minute. So each look-up has
a thread of its own, which a caller can stop waiting for. Concurrent look-ups of one name share a
thread. Each push service has a few look-ups at a time, and further ones wait, so that there are
never many threads, and always some for the other services.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any, Final, TypeAlias

from aiohttp.abc import AbstractResolver, ResolveResult

# Concurrent look-ups per push service.
AT_ONCE: Final = 8

_Found: TypeAlias = "Future[list[ResolveResult]]"
# Push service, host, port and family.
_Key: TypeAlias = tuple[str, str, int, socket.AddressFamily]

_lock: Final = Lock()
_under_way: Final[dict[_Key, _Found]] = {}


class Names(AbstractResolver):
    """The resolver for aiohttp. `service_of` returns the push service of a host and a port."""

    def __init__(self, service_of: Callable[[str, int], str]) -> None:
        self._service_of = service_of

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host. Raises OSError if there are none."""
        key = self._service_of(host, port), host, port, family
        while isinstance(found := _begun(key), list):
            ahead = [asyncio.wrap_future(each) for each in found]
            try:
                await asyncio.wait(ahead, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in ahead:
                    each.cancel()
        return await asyncio.wrap_future(found)

    async def close(self) -> None:
        """Do nothing: look-ups under way end by themselves."""


def _begun(key: _Key) -> _Found | list[_Found]:
    """Start or join the look-up of a name; if its service has no room, return those ahead of it."""
    with _lock:
        if key in _under_way:
            return _under_way[key]
        ahead = [found for each, found in _under_way.items() if each[0] == key[0]]
        if len(ahead) >= AT_ONCE:
            return ahead
        found: _Found = Future()
        found.set_running_or_notify_cancel()  # so that one waiter can't cancel it for the others
        _under_way[key] = found
    Thread(target=_look_up, args=(key, found), name="name look-up", daemon=True).start()
    return found


def _look_up(key: _Key, found: _Found) -> None:
    _service, host, port, family = key
    result: list[ResolveResult] | OSError
    try:
        kind, flags = socket.SOCK_STREAM, socket.AI_ADDRCONFIG
        answer = socket.getaddrinfo(host, port, family, kind, flags=flags)
        result = [_result(host, *each) for each in answer]
    except (OSError, UnicodeError) as error:
        result = OSError(type(error).__name__)
    with _lock:
        del _under_way[key]
    if isinstance(result, OSError):
        found.set_exception(result)
    else:
        found.set_result(result)


def _result(host: str, family: int, _kind: int, proto: int, _name: str, at: Any) -> ResolveResult:
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(
        hostname=host, host=at[0], port=at[1], family=family, proto=proto, flags=flags
    )
