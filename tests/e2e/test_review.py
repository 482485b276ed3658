"""The review in the replay: asked for by a press, waited for, and read on every screen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import SIZES, arranged, larger_text, resize
from tests.e2e.conftest import QUICK
from tests.e2e.player import wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

Site = tuple[LiveSite, dict[str, str]]


@pytest.fixture(scope="module")
def site(prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = LiveSite.of(prepared_folder, tmp_path_factory.mktemp("review") / "site", **QUICK)
    codes = json.loads(arranged(site, "tests.e2e.reviewed"))
    site.start()
    yield site, codes
    site.discard()


def test_it_is_made_on_a_press_and_leads_to_moments(
    site: Site, visitor: Callable[..., Page]
) -> None:
    where, codes = site
    page = visitor()
    page.goto(f"{where.url}/games/{codes['fresh']}/replay")
    review = page.locator("#review")
    expect(review.locator(".review")).to_have_count(0)
    page.locator(".to-review").click()
    expect(review).to_contain_text("Not judged")
    expect(review.locator("progress")).to_have_count(0)
    bluff = review.get_by_role("link", name="Boldest bluff")
    address = bluff.get_attribute("href")
    bluff.click()
    page.wait_for_url(f"{where.url}{address}")


# As if an answer came while the review is being made, to the press or to a look at its progress.
WAITING = """(of) => {
  const review = document.getElementById("review");
  review.innerHTML = "<div class=review><label>Soon</label></div>";
  document.querySelector(".to-review").focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
  const elt = document.querySelector(of);
  const detail = { requestConfig: { elt } };
  review.dispatchEvent(new CustomEvent("htmx:afterSwap", { detail }));
  return scrollY;
}"""


def test_who_waits_for_it_may_scroll_away(site: Site, visitor: Callable[..., Page]) -> None:
    """A press leads to what says that it is being made; each look at its progress doesn't."""
    where, codes = site
    page = visitor(viewport={"width": 360, "height": 740})
    page.goto(f"{where.url}/games/{codes['known']}/replay")
    assert page.evaluate(WAITING, ".to-review") > 0
    assert page.evaluate(WAITING, "#review label") == 0


def test_without_a_script_it_is_a_page(site: Site, visitor: Callable[..., Page]) -> None:
    where, codes = site
    page = visitor(java_script_enabled=False)
    page.goto(f"{where.url}/games/{codes['known']}/replay/7")
    page.get_by_role("link", name="Review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    expect(page.locator(".review")).to_contain_text("accuracy 90% (n = ")
    page.get_by_role("link", name="Watch the replay").click()
    page.wait_for_url(f"{where.url}/games/{codes['known']}/replay/7")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("path", ["replay/9", "replay/review"])
def test_it_fits_every_screen_and_has_no_barriers(
    site: Site, visitor: Callable[..., Page], path: str, language: str
) -> None:
    where, codes = site
    page = visitor(extra_http_headers={"Accept-Language": language})
    page.goto(f"{where.url}/games/{codes['known']}/{path}")
    if path != "replay/review":
        page.locator(".to-review").click()
    expect(page.locator("#review .review")).to_be_visible()
    for closed in page.locator("#review details").all():
        closed.locator("summary").click()
    found = {}
    for size in (*SIZES, (1440, 900)):
        resize(page, size)
        found[size] = wider_than_screen(page)
    assert not any(found.values()), found
    resize(page, (360, 740))
    with larger_text(page, pixels=32, alone=False):
        assert wider_than_screen(page) == []
    resize(page, (1280, 800), scale=1)
    assert_accessible(page, widths=(320, 1280))
