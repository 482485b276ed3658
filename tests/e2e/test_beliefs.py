"""A player believes a bold bid in a review: beside the replay in place, and without a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import signed_in, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PRESS, BACK = "I'd have believed it too", "Take back"


@pytest.fixture
def site(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    data, told = arrange("tests.e2e.arranged_beliefs")
    with served(data, tmp_path_factory.mktemp("beliefs") / "site") as site:
        yield site, told


def test_a_press_counts_in_place_and_is_taken_back(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = signed_in(visitor(), where, told)
    page.goto(f"{where.url}/games/{told['code']}/replay/2")
    page.locator(".to-review").click()
    first = page.get_by_role("button", name=PRESS).first
    claim = "#" + first.evaluate("it => it.closest('li').id")
    first.click()
    here = page.locator(claim)
    expect(here).to_contain_text("1 would have believed it too")
    expect(page).to_have_url(f"{where.url}/games/{told['code']}/replay/2")
    here.get_by_role("button", name=BACK).click()
    expect(here).not_to_contain_text("would have believed it too")
    expect(here.get_by_role("button", name=PRESS)).to_be_visible()


def test_it_works_without_a_script_and_has_no_barriers(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = signed_in(visitor(java_script_enabled=False), where, told)
    page.goto(f"{where.url}/games/{told['code']}/replay/review")
    page.get_by_role("button", name=PRESS).first.click()
    expect(page.get_by_role("button", name=BACK)).to_be_visible()
    expect(page.get_by_text("1 would have believed it too")).to_be_visible()
    address = page.url
    seeing = signed_in(visitor(reduced_motion="reduce"), where, told)
    seeing.goto(address)
    assert_accessible(seeing, widths=(320, 1280))
    assert wider_than_screen(seeing) == []


def test_it_is_pressed_at_the_moment_of_the_bid_too(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    """The list of the review follows, and so does the moment where the list is pressed."""
    where, told = site
    page = signed_in(visitor(), where, told)
    page.goto(f"{where.url}/games/{told['code']}/replay/{told['bold']}")
    here, press = page.locator(f"#believed-{told['bold']}"), page.get_by_role("button", name=PRESS)
    here.locator(press).click()
    expect(here).to_contain_text("1 would have believed it too")
    expect(here.get_by_role("button", name=BACK)).to_be_focused()
    page.locator(".to-review").click()
    listed = page.locator(f"#claim-{told['bold']}")
    expect(listed).to_contain_text("1 would have believed it too")
    here.get_by_role("button", name=BACK).click()
    expect(listed.get_by_role("button", name=PRESS)).to_be_visible()
    listed.get_by_role("button", name=PRESS).click()
    expect(here).to_contain_text("1 would have believed it too")
    # Steps within the page lead away from it and back to what is so now.
    page.locator("#step-next").click()
    expect(here).to_have_count(0)
    page.locator("#step-prev").click()
    expect(here.get_by_role("button", name=BACK)).to_be_visible()


def test_without_a_script_the_moment_leads_to_the_claim(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = signed_in(visitor(java_script_enabled=False), where, told)
    page.goto(f"{where.url}/games/{told['code']}/replay/{told['bold']}")
    page.get_by_role("link", name="Would you have believed it?").click()
    claim = page.locator(f"#claim-{told['bold']}")
    claim.get_by_role("button", name=PRESS).click()
    expect(claim).to_contain_text("1 would have believed it too")
