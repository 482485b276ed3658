"""The kept records of both games, in every version, as JSON texts by a name for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

RECORDS: Final[Mapping[str, str]] = {
    f"{path.parents[2].name} {path.stem}": path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[2] / "games").glob("*/tests/golden/*.json"))
}
