"""The pictures of wood and cloth: light, and what their scripts compute."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tools import weave, wood

MOST_OFF = 1.5  # of 255, on average: another encoder may round differently


@pytest.mark.parametrize("top", wood.TOPS, ids=lambda top: top.name)
def test_a_table_top_is_light_and_as_computed(top: wood.Top) -> None:
    file = wood.SITE / top.name
    assert file.stat().st_size <= top.most_bytes
    encoded = BytesIO()
    wood.save(top, encoded)
    made, kept = pixels(encoded), pixels(file)
    assert made.shape == kept.shape == (top.height, top.width, 3)
    assert np.abs(made - kept).mean() <= MOST_OFF, "run python -m tools.wood"


def test_the_cloth_is_light_and_as_woven() -> None:
    file = weave.SITE / weave.NAME
    assert file.stat().st_size <= weave.MOST_BYTES
    assert (pixels(file) == np.asarray(weave.draw())).all(), "run python -m tools.weave"


def pixels(file: Path | BytesIO) -> np.ndarray:
    with Image.open(file) as picture:
        return np.asarray(picture.convert("RGB"), np.float32)
