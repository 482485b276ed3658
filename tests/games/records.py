"""The kept records of both games, in every version, as JSON texts by a name for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

_FOLDERS = ("perudo/rules/golden", "peco_peco/golden")

RECORDS: Final[Mapping[str, str]] = {
    f"{folder.split('/')[0]} {path.stem}": path.read_text(encoding="utf-8")
    for folder in _FOLDERS
    for path in sorted((Path(__file__).parent / folder).glob("*.json"))
}
