"""Keys that a site makes for itself and keeps beside its database."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Final

_ATTEMPTS: Final = 20
_SECONDS: Final = 0.05


def kept(file: Path, make: Callable[[], str]) -> str:
    """What `file` holds; where there is none, it is made and written, for nobody else to read."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(file)
    with os.fdopen(descriptor, "w") as new:
        new.write(make())
    return _read(file)


def _read(file: Path) -> str:
    """The text; another process may have made the file and not written it yet."""
    for _attempt in range(_ATTEMPTS):
        if text := file.read_text(errors="replace").strip():
            return text
        sleep(_SECONDS)
    return ""
