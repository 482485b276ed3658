"""People around a table: nothing lies over a face, a name or a hand, measured by boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.boxes import Screens, resize

pytestmark = pytest.mark.e2e

COVERED = (Path(__file__).parent / "ring.js").read_text().rstrip()
SIZES = ((320, 568), (360, 740), (390, 844), (740, 360), (820, 1180), (1280, 720), (1920, 1080))
STATES = {
    "perudo": ("turn", "highest", "waiting_with_calza", "palifico", "reveal", "reveal_of_calza"),
    "peco_peco": ("turn", "many_cards", "call", "window", "honest", "ended_by_a_bluff"),
}
LANGUAGE = "it"  # of the longest calls


def test_nothing_covers_who_sits_there(
    game_screens: Screens, request: pytest.FixtureRequest
) -> None:
    """In each number of seats that was arranged; with some of them as a stranger too."""
    found = {}
    page = game_screens.pages[LANGUAGE]
    for state in STATES[request.node.callspec.params["game_screens"]]:
        for seats in game_screens.tables[state]:
            few = seats in (2, 4, max(game_screens.tables[state]))
            for viewer in ("player", "stranger") if few else ("player",):
                game_screens.lead(page, state, seats, viewer)
                for size in SIZES:
                    resize(page, size)
                    if covered := page.evaluate(COVERED):
                        found[f"{state}, {seats} seats, {viewer}, {size}"] = covered
    assert found == {}


def test_nothing_covers_who_sits_in_a_replay(game_screens: Screens) -> None:
    """While a bid or a card is shown with all hands open, and in the moment after it."""
    found = {}
    page = game_screens.pages[LANGUAGE]
    for seats in game_screens.tables["over"]:
        for moment in (2, 3):
            game_screens.lead(page, "over", seats)
            page.goto(f"{page.url}/replay/{moment}")
            for size in SIZES:
                resize(page, size)
                if covered := page.evaluate(COVERED):
                    found[f"{seats} seats, moment {moment}, {size}"] = covered
    assert found == {}
