"""The switches for what a person wants pushed: boolean fields of `PushChoice`."""

from __future__ import annotations

from typing import Final

SWITCHES: Final = ("turn", "invitation", "table", "waiting", "question", "meeting")
# Turned on for a person who turns pushes on without choosing.
USUAL: Final = ("turn", "invitation", "table")
# Turned on by the bell that is shown while a person waits for others (search.js).
WHILE_WAITING: Final = ("waiting", "table")
