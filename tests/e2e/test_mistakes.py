"""Your mistakes: from the profile through one's own errors as questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import look, resize
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import Player, signed_in, wider_than_screen
from tests.e2e.robot import Robot, newcomer
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = (360, 740)
ON_ITS_SIDE = (640, 360)
SIZES = ((320, 568), PHONE, ON_ITS_SIDE, (1280, 720))
NEEDED = (".claim .bid", ".in-hand .die", ".so-far", ".choices button")


@pytest.fixture
def site(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    data, told = arrange("tests.e2e.arranged_guesses")
    with served(data, tmp_path_factory.mktemp("mistakes") / "site") as site:
        yield site, told


def test_a_finger_leads_through_ones_own_mistakes_until_none_waits(
    site: tuple[LiveSite, dict[str, str]], open_browser: Callable[..., Player]
) -> None:
    where, told = site
    stranger: Robot = newcomer(open_browser, where, "fr")
    signed_in(stranger.page, where, told)
    page = stranger.page
    stranger.opens(f"{where.url}/players/Anna")
    stranger.tap("Your mistakes")
    for number in (1, 2, 3):
        stranger.arrives(r"/games/mistakes(\?said=[01]*)?$")
        assert look(page, NEEDED) == []
        stranger.tap_at(page.locator(".choices button").nth(number % 2))
        stranger.arrives(r"/games/mistakes\?said=[01]+&of=")
        expect(page.locator(".judgement .why")).to_be_visible()
        stranger.tap("Next question" if number < 3 else "Your score")
    stranger.arrives(r"/games/mistakes\?said=[01]+$")
    stranger.opens(f"{where.url}/games/mistakes")
    expect(page.locator(".choices")).to_have_count(0)


def test_it_fits_every_screen_without_a_script_and_has_no_barriers(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = visitor(java_script_enabled=False, extra_http_headers={"Accept-Language": "fr"})
    signed_in(page, where, told)
    page.goto(f"{where.url}/games/mistakes")
    for size in SIZES:
        resize(page, size)
        assert look(page, NEEDED) == [], size
    resize(page, PHONE, scale=1)
    page.locator(".choices button").first.click()
    for size in SIZES:
        resize(page, size)
        assert wider_than_screen(page) == [], size
        if size != ON_ITS_SIDE:
            assert look(page, (".onward a",)) == [], size
    resize(page, PHONE, scale=1)
    reply = page.url
    page.get_by_role("button", name="Réessayer").click()
    page.wait_for_url(re.compile(r"/games/\w+$"))
    expect(page.locator("#own")).to_be_visible()
    page.goto(reply)
    page.locator(".onward a").click()
    expect(page.locator(".choices button").first).to_be_visible()
    seeing = visitor(reduced_motion="reduce")
    signed_in(seeing, where, told)
    for address in (reply, f"{where.url}/games/mistakes", f"{where.url}/games/mistakes?said=101"):
        seeing.goto(address)
        assert_accessible(seeing, widths=(320, 1280))
