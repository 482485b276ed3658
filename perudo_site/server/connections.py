"""Limits of open connections: per client address, and for the whole process.

One address may have at most half of the connections that the process can hold. When all are in use,
a new connection replaces an idle one of the address that has most. So a client that opens many idle
connections doesn't block the site for others.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any, Final

from django.conf import settings
from prometheus_client import Counter

from perudo_site.ratelimit import refusals
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
    """The open connections of this process by address; `transport` identifies a connection.

    Behind proxies all connections come from the proxies, which limit their clients themselves.
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
        """Return the number of open connections of this address."""
        return len(self._open.get(network(host), ()))

    def admits(self, host: str) -> bool:
        """Whether this address may open one more connection; may close an idle one for it."""
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
        """Stop counting a connection; idempotent."""
        channels = self._open.get(getattr(transport, "counted_for", ""), {})
        if channels.pop(transport, None) is not None:
            self._count -= 1
            if not channels:
                del self._open[transport.counted_for]

    def _make_room(self, newcomer: str) -> bool:
        """Close the oldest idle connection of the address that has most, if it is another's."""
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
        refusals.note(f"connections_{reason}")
        now = monotonic()
        if now - self._logged.get(reason, -LOG_SECONDS) >= LOG_SECONDS:
            self._logged[reason] = now
            logger.warning(
                "connections limited reason=%s open=%d most=%d addresses=%d",
                *(reason, self._count, self.most, len(self._open)),
            )
