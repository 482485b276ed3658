"""Guess first about chances: from the review through its claims, at tables of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import larger_text, look, resize
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import Player, signed_in, wider_than_screen
from tests.e2e.robot import Robot, newcomer
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = (360, 740)
SIZES = ((320, 568), (640, 360), (768, 1024), (1280, 720))
NEEDED = (".to-beat .animal-card", ".claim .told", ".unseen", ".in-hand .animal-card", ".choices a")
SCROLLS = "document.documentElement.scrollHeight > innerHeight"


@pytest.fixture(scope="module")
def site(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, Any]]]:
    data, told = arrange("tests.e2e.arranged_chances")
    with served(data, tmp_path_factory.mktemp("chances") / "site") as site:
        yield site, told


def test_a_finger_leads_from_the_review_through_three_claims(
    site: tuple[LiveSite, dict[str, Any]], open_browser: Callable[..., Player]
) -> None:
    where, told = site
    stranger: Robot = newcomer(open_browser, where, "fr")
    signed_in(stranger.page, where, told)
    stranger.opens(f"{where.url}/games/{told['codes']['4']}/replay/review")
    stranger.tap("Guess first")
    page = stranger.page
    for number in (1, 2, 3):
        stranger.arrives(r"/guess(\?said=\d*&next)?$")
        assert not page.evaluate(SCROLLS), number
        assert look(page, NEEDED) == []
        choice = page.locator(".choices a").nth(number)
        words = choice.inner_text()
        stranger.tap_at(choice)
        stranger.arrives(r"/guess\?said=\d+$")
        expect(page.locator(".judged-choices li", has_text=words).first).to_be_visible()
        expect(page.locator(".judgement .why")).to_have_count(3)
        stranger.tap("Next question" if number < 3 else "Your score")
    expect(page.locator(".judged-choices li")).to_have_count(3)
    stranger.tap("Back to the review")
    stranger.arrives("/replay/review$")


@pytest.mark.parametrize("seats", ["4", "8"])
def test_it_fits_every_screen_without_a_script(
    site: tuple[LiveSite, dict[str, Any]], visitor: Callable[..., Page], seats: str
) -> None:
    where, told = site
    page = visitor(java_script_enabled=False, extra_http_headers={"Accept-Language": "fr"})
    signed_in(page, where, told)
    for said in ("", "0", "00"):
        asked = f"{where.url}/games/{told['codes'][seats]}/replay/guess?said={said}"
        page.goto(f"{asked}&next")
        for size in (PHONE, *SIZES):
            resize(page, size)
            assert look(page, NEEDED) == [], (size, said)
    resize(page, PHONE, scale=1)
    page.locator(".choices a").first.click()
    for size in (PHONE, *SIZES):
        resize(page, size)
        assert wider_than_screen(page) == [], size
    resize(page, PHONE, scale=1)
    page.locator(".onward a").click()
    expect(page.locator(".judged-choices li")).to_have_count(3)


def test_it_has_no_barriers(
    site: tuple[LiveSite, dict[str, Any]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = visitor(reduced_motion="reduce")
    signed_in(page, where, told)
    for query in ("", "?said=0", "?said=000&next"):
        page.goto(f"{where.url}/games/{told['codes']['8']}/replay/guess{query}")
        assert_accessible(page, widths=(320, 1280))
        resize(page, PHONE, scale=1)
        with larger_text(page, pixels=32, alone=False):
            assert wider_than_screen(page) == [], query
