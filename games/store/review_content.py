"""The content of a review as its row stores it: compressed JSON.

Nothing here imports Django, as the worker uses it too.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any


def packed(content: Mapping[str, Any]) -> bytes:
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), level=9)


def unpacked(kept: bytes | memoryview) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(zlib.decompress(kept))
    return content
