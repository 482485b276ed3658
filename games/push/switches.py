"""What a person may want to be told by push: the switches, fields of `PushChoice`."""

from __future__ import annotations

from typing import Final

SWITCHES: Final = ("turn", "invitation", "table", "waiting", "question", "meeting")
# Of who turns pushes on without saying for what.
USUAL: Final = ("turn", "invitation", "table")
