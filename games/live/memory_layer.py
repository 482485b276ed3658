"""Channel layer for a site with one process: Channels' in-memory layer without its expiry scan."""

from __future__ import annotations

from typing import Final

from channels.layers import InMemoryChannelLayer

# Type of the message sent to every group after a gap between processes, to check for lost messages.
LOOK_AGAIN: Final = "look.again"


class MemoryLayer(InMemoryChannelLayer):
    """In-memory layer in which a message costs the same with one table as with hundreds.

    Channels scans every channel and group for expired entries before each message. Here nothing
    expires: a `GroupSubscription` receives its messages at once, keeps the last of each type, and
    ends with its last subscriber.
    """

    id = ""  # of this process, among its peers
    stopping = False  # this process is shutting down

    def open(self) -> None:
        """Do nothing; other layers connect to the other processes here."""

    def peer_ids(self) -> frozenset[str]:
        """Return the ids of the other processes: always empty."""
        return frozenset()

    def has_peers(self) -> bool:
        """Whether another process continues when this one stops: always False."""
        return False

    def _clean_expired(self) -> None:
        pass
