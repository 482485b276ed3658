"""The content of a review or a part of it, as JSON; see `optional_parts.Review`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Content = Mapping[str, Any]
