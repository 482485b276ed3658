"""The moments of Peco Peco are heard as they show: the call first, then what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.boxes import Tables
from tests.e2e.loudspeaker import Hit, heard, pitches, visit_with_sound
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
ACCUSED = [0, -2]  # knocks, in semitones above the file
GOOD, BAD = [0, 4, 7, 12], [-6, -9, -12]  # notes
MY_TURN = [7, 12]
VICTORY = [0, 4, 7, 12, 7, 12, 4, 7, 12, 16]


@pytest.fixture
def visit(browser: Browser, tables: tuple[LiveSite, Tables]) -> Iterator[Visit]:
    """Opens a table before a moment with the sound on, as the player who makes it happen."""
    site, arranged = tables
    contexts: list[BrowserContext] = []

    def visit(state: str, motion: str = "no-preference") -> Page:
        _, (path, key) = arranged[state].popitem()  # each moment happens once
        context = browser.new_context(reduced_motion=motion)  # type: ignore[arg-type]
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        contexts.append(context)
        page = context.new_page()
        visit_with_sound(page, f"{site.url}{path}")
        return page

    yield visit
    for context in contexts:
        context.close()


def happens(page: Page, does: str) -> tuple[list[Hit], list[int]]:
    """What is heard of the moment that this press makes, and what is felt."""
    page.locator(f"#own button[value={does}]:enabled").click()
    page.wait_for_timeout(3_500)
    return heard(page), page.evaluate("buzzed")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize(("state", "notes"), [("before_caught", GOOD), ("before_true", BAD)])
def test_an_accusation_is_heard_then_its_verdict_as_it_is_for_the_reader(
    visit: Visit, state: str, notes: list[int], motion: str
) -> None:
    hits, felt = happens(visit(state, motion), "accuse")
    assert pitches(hits, "knock")[:2] == ACCUSED
    assert pitches(hits, "note") == [*notes, *MY_TURN]
    knock, note = (next(hit.at for hit in hits if hit.name == name) for name in ("knock", "note"))
    assert note - knock > (600 if motion == "no-preference" else 300), "not before it shows"
    assert felt == [60, 30]


@pytest.mark.parametrize(("state", "bowls"), [("before_won", [0, 5]), ("before_defeat", [-5, -9])])
def test_a_stake_is_heard_by_who_did_not_win_it(visit: Visit, state: str, bowls: list[int]) -> None:
    hits, felt = happens(visit(state), "declare")
    assert pitches(hits, "bowl") == bowls
    assert 60 in felt


def test_the_end_of_a_game_is_heard_after_its_last_stake(visit: Visit) -> None:
    hits, felt = happens(visit("before_set"), "declare")
    assert pitches(hits, "bowl") == [0, 5]
    assert pitches(hits, "note") in (VICTORY, [7, 4, 0])
    assert [hit.name for hit in hits if hit.name in ("bowl", "note")][:2] == ["bowl", "bowl"]
    assert felt == [60]
