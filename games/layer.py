"""The channel layer of a site of one process: Channels' own, less its search for old messages."""

from __future__ import annotations

from channels.layers import InMemoryChannelLayer


class OneProcessLayer(InMemoryChannelLayer):
    """Channels looks at every channel and group before each message, for some that have expired.

    Here nothing expires: an ear takes its messages at once and keeps the last of them (see
    `ears`), and it ends with its last listener. So the cost of a message is the same at one table
    and at two hundred.
    """

    ends = False  # this process has been told to stop

    def open(self) -> None:
        """Speak and listen from now on: here there is nobody else."""

    def has_company(self) -> bool:
        """Whether another process goes on when this one ends: here there is none."""
        return False

    def _clean_expired(self) -> None:
        pass
