"""Consumer of a page without another socket, which receives messages for its user."""

from __future__ import annotations

from typing import Final

from games.live.base_consumer import PERSON_HANDLERS, BaseConsumer
from games.play import announce

# A page in view pings the connection itself, and a hidden one closes its socket.
HEARTBEAT_SECONDS: Final = 50.0


class PersonConsumer(BaseConsumer):
    """A socket of one page of a signed-in user that shows no table and no list of tables."""

    kind = "person"
    handlers = PERSON_HANDLERS
    heartbeat_seconds = HEARTBEAT_SECONDS

    def prepare(self, query: dict[str, list[str]]) -> bool:
        """Subscribe only to the user's group, which exists only for signed-in users."""
        person = self.scope["user"].pk
        self.group = announce.person(person) if person is not None else ""
        return person is not None

    async def refresh(self) -> bool:
        """Send nothing, since every socket sends the inbox anyway."""
        return True
