"""Tables just before a moment of Peco Peco, for the modules that look at it or listen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.boxes import Tables
from tests.e2e.conftest import Arrange, arranged_site
from tests.support.live_site import LiveSite


@pytest.fixture(scope="module")
def tables(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, Tables]]:
    """A site of each module's own: a moment happens once."""
    folder = tmp_path_factory.mktemp("moments")
    with arranged_site(arrange, folder, "games.peco_peco.tests.before_moments") as arranged:
        yield arranged
