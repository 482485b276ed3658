"""Messages inside one process with nothing copied, no task made and nothing swept on the way."""

from __future__ import annotations

import time
from typing import Any

from channels.layers import InMemoryChannelLayer


class LeanLayer(InMemoryChannelLayer):
    """Channels' own layer looks through all channels of the process for every message read."""

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        expires = time.time() + self.expiry
        for channel in self.groups.get(group, ()):
            queue = self.channels.get(channel)
            if queue is None:
                await self.send(channel, message)
            elif not queue.full():
                queue.put_nowait((expires, message))

    def _clean_expired(self) -> None:
        """Nobody here leaves a message unread."""
