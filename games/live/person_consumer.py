"""The consumer of a page that has no other socket: it hears what its person is told."""

from __future__ import annotations

from typing import Final

from games.live.base_consumer import PERSON_HANDLERS, BaseConsumer
from games.play import announce

# A page in view asks by itself whether its connection lives, and a hidden one closes its socket.
HEARTBEAT_SECONDS: Final = 50.0


class PersonConsumer(BaseConsumer):
    """One page of a signed-in person that shows no table and no list of tables."""

    kind = "person"
    handlers = PERSON_HANDLERS
    heartbeat_seconds = HEARTBEAT_SECONDS

    def prepare(self, query: dict[str, list[str]]) -> bool:
        """Subscribe to the person's group alone; nobody who is not signed in has one."""
        person = self.scope["user"].pk
        self.group = announce.person(person) if person is not None else ""
        return person is not None

    async def refresh(self) -> bool:
        """There is nothing to send but the inbox, which every socket sends."""
        return True
