"""Nonsense at every form and address: the short form of `python -m tests.security.fuzz`."""

from __future__ import annotations

import pytest

from tests.security.addresses import ADDRESSES
from tests.security.fuzz.throwing import run


@pytest.mark.parametrize("seed", [1, 2])
def test_no_nonsense_breaks_anything(db: None, seed: int) -> None:
    found = run(1_500, seed=seed)
    assert found.troubles == []
    assert found.sent == 1_500
    assert {200, 302, 400, 404, 405} <= set(found.answers)


def test_the_nonsense_reaches_the_addresses(db: None) -> None:
    found = run(1_000, seed=3)
    missed = set(ADDRESSES) - found.addresses
    assert len(missed) < len(ADDRESSES) / 4, missed
