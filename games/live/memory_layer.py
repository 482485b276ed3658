"""The channel layer of a site with one process: Channels' own without its expiry scan."""

from __future__ import annotations

from typing import Final

from channels.layers import InMemoryChannelLayer

# The type of the message to every group after a gap between processes: look for what was missed.
LOOK_AGAIN: Final = "look.again"


class MemoryLayer(InMemoryChannelLayer):
    """Channels' in-memory layer; a message costs the same with one table and with hundreds.

    Channels scans every channel and group for expired entries before each message. Nothing expires
    here: a `GroupSubscription` takes its messages at once, keeps the last of each type, and ends
    with its last subscriber.
    """

    id = ""  # of this process, among its peers
    stopping = False  # this process is shutting down

    def open(self) -> None:
        """Start to exchange messages with other processes; there are none."""

    def peer_ids(self) -> frozenset[str]:
        """The ids of the other processes; there are none."""
        return frozenset()

    def has_peers(self) -> bool:
        """Whether another process goes on when this one stops; there is none."""
        return False

    def _clean_expired(self) -> None:
        pass
