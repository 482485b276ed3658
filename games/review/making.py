"""What the worker does for a review: has the judge make it, and packs it as it is kept.

Nothing here imports Django.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def made(judge: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """The `accounts` of the review of a log by this module, and the `packed` whole in base64: to
    pack it here leaves the thread of moves alone.
    """
    content = import_module(judge).analyse(record)
    return {
        "accounts": content["accounts"],
        "packed": b64encode(packed(content)).decode(),
    }


def packed(content: Mapping[str, Any]) -> bytes:
    """A review as its row keeps it."""
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), level=9)


def unpacked(kept: bytes | memoryview) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(zlib.decompress(kept))
    return content
