"""QR codes of addresses as SVG paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

# The empty margin around the code that a camera needs, in modules.
_MARGIN = 4


@dataclass(frozen=True, slots=True)
class QrImage:
    """The dark modules of a code as one SVG path, in a square of `size` modules with the margin."""

    size: int
    path: str


@lru_cache(maxsize=256)
def qr_image(address: str) -> QrImage:
    """The QR code of an address; cached, because making one takes some milliseconds."""
    code: QRCode[Any] = QRCode(error_correction=ERROR_CORRECT_M, border=_MARGIN)
    code.add_data(address)
    matrix = code.get_matrix()
    runs = []
    for row, modules in enumerate(matrix):
        column = 0
        for is_dark, group in groupby(modules):
            length = len(list(group))
            if is_dark:
                runs.append(f"M{column} {row}h{length}v1h-{length}z")
            column += length
    return QrImage(size=len(matrix), path="".join(runs))
