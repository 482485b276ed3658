"""Fuzzing every form and URL: the short form of `python -m tests.security.fuzz`."""

from __future__ import annotations

import pytest

from tests.security.addresses import ADDRESSES
from tests.security.fuzz.throwing import run


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_invalid_input_reaches_every_url_and_breaks_nothing(db: None, seed: int) -> None:
    found = run(1_500, seed=seed)
    assert found.troubles == []
    assert found.sent == 1_500
    assert {200, 302, 400, 404, 405} <= set(found.answers)
    missed = set(ADDRESSES) - found.addresses
    assert len(missed) < len(ADDRESSES) / 4, missed
