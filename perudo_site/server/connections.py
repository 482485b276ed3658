"""Limits of open connections: per client address, and for the whole process.

One address has at most half of the connections that the process can hold. When all are in use, a
newcomer takes the place of a connection that waits for a request, of the address that holds most:
the site stays open for everybody else when one client opens many that say nothing.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any, Final

from django.conf import settings
from prometheus_client import Counter

from perudo_site.ratelimit.local import network
from perudo_site.server import descriptors

LOG_SECONDS: Final = 60.0

refused: Final = Counter(
    "perudo_connections_refused",
    "Connections refused or closed to make room, by reason (address, full, room).",
    ("reason",),
)
logger = logging.getLogger(__name__)


class Connections:
    """The open connections of this process by address; `transport` identifies one.

    Behind proxies every connection is one of theirs, and they limit their clients themselves.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = descriptors.most_connections() if most is None else most
        # The channels of each address, the oldest first.
        self._open: dict[str, dict[Any, Any]] = {}
        self._count = 0
        self._logged: dict[str, float] = {}

    def __len__(self) -> int:
        return self._count

    def of(self, host: str) -> int:
        """How many connections of this address are open."""
        return len(self._open.get(network(host), ()))

    def admits(self, host: str) -> bool:
        """Whether one more of this address may be opened; makes room for it if there is none."""
        if not settings.BEHIND_PROXIES:
            most = min(settings.CONNECTIONS_PER_ADDRESS, max(1, self.most // 2))
            if self.of(host) >= most:
                return self._refuse("address")
        if self._count >= self.most and not self._make_room(network(host)):
            return self._refuse("full")
        return True

    def opened(self, channel: Any) -> None:
        """Count a connection; `channel` is its HTTP protocol."""
        transport = channel.transport
        transport.counted_for = key = network(transport.getPeer().host)
        self._open.setdefault(key, {})[transport] = channel
        self._count += 1

    def closed(self, transport: Any) -> None:
        """Count it no more; called again, it does nothing."""
        channels = self._open.get(getattr(transport, "counted_for", ""), {})
        if channels.pop(transport, None) is not None:
            self._count -= 1
            if not channels:
                del self._open[transport.counted_for]

    def _make_room(self, newcomer: str) -> bool:
        """Close the oldest quiet connection of the address that holds most, if it is another's."""
        greediest = max(self._open, key=lambda key: len(self._open[key]))
        if greediest == newcomer and not settings.BEHIND_PROXIES:
            return False
        for transport, channel in self._open[greediest].items():
            if transport.protocol is channel and channel.is_quiet:
                self.closed(transport)
                transport.abortConnection()
                self._note("room")
                return True
        return False

    def _refuse(self, reason: str) -> bool:
        self._note(reason)
        return False

    def _note(self, reason: str) -> None:
        refused.labels(reason).inc()
        now = monotonic()
        if now - self._logged.get(reason, -LOG_SECONDS) >= LOG_SECONDS:
            self._logged[reason] = now
            logger.warning(
                "connections limited reason=%s open=%d most=%d addresses=%d",
                *(reason, self._count, self.most, len(self._open)),
            )
