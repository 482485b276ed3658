"""The benchmark of the greedy address runs, and a visitor from elsewhere plays meanwhile."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from lab import greedy_address
from tests.support.live_site import LiveSite


@pytest.mark.real_server
@pytest.mark.slow
def test_one_address_takes_all_it_can_and_a_visitor_from_elsewhere_plays(
    new_site: Callable[..., LiveSite],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Through real connections from several addresses of this machine, on a site of eight games."""
    monkeypatch.setattr(greedy_address, "TABLES", 2)
    site = new_site(
        TURN_SECONDS="5", RUNNING_GAMES_WITH_BOTS="8", BOT_GAMES_PER_ADDRESS="8", BOT_SECONDS="0.2"
    )
    site.start()
    chosen = argparse.Namespace(guests=2, seconds=12.0)
    greedy_address.measure(site, site.folder / "db.sqlite3", chosen)
    told = capsys.readouterr().out
    assert "2 guests: 8 games" in told, "the site is full"
    assert "a visitor from elsewhere plays" in told
    assert "turns of people" in told.split("beside them")[1]
