"""Keys that the site generates and stores beside its database."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Final

_ATTEMPTS: Final = 20
_SECONDS: Final = 0.05


def kept(file: Path, make: Callable[[], str]) -> str:
    """Return the key in `file`; if there is no file, make the key and write it with mode 0600."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(file)
    with os.fdopen(descriptor, "w") as new:
        new.write(make())
    return _read(file)


def _read(file: Path) -> str:
    """Read the key, with retries: another process may have created the file but not written it."""
    for _attempt in range(_ATTEMPTS):
        if text := file.read_text(errors="replace").strip():
            return text
        sleep(_SECONDS)
    return ""
