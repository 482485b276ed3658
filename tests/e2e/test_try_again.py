"""Trying again from a moment of a replay: beside its judgement, without a script, and to the end
of the round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

# A worker on a busy machine takes its time.
PATIENCE_MS = 60_000
# Their boxes at one moment: the page may be scrolling.
VERDICT_AND_BUTTON = """["#judgement .judged b", "#judgement .try"].map(
  (selector) => document.querySelector(selector).getBoundingClientRect().toJSON())"""
Site = tuple[LiveSite, dict[str, str]]


@pytest.fixture(scope="module")
def site(arrange: Arrange, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data, told = arrange("tests.e2e.arranged_reviews")
    with served(data, tmp_path_factory.mktemp("again") / "site") as site:
        yield site, told


def signed_in(page: Page, site: Site) -> Page:
    where, told = site
    cookie = {"name": "sessionid", "value": told["key"], "url": where.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    return page


def own_decision(page: Page) -> int:
    """The number of a moment that shows what the reader did after somebody's bid."""
    steps = json.loads(page.locator("#replay-steps").text_content() or "")
    me = int(page.locator("#replay").get_attribute("data-me") or -1)
    return next(
        number
        for number, (before, step) in enumerate(zip(steps, steps[1:], strict=False), start=2)
        if step[2] == me and before[2] not in (me, -1) and not before[1]
    )


def plays_to_the_reveal(page: Page) -> None:
    """Doubts, or bids where there is nothing to doubt, until the cups go up."""
    table = page.locator("#table")
    move = page.locator("#own button[name=do]:is([value=dudo], [value=bid])").first
    for _ in range(6):
        expect(move.or_(page.locator('#table[data-phase="reveal"]')).first).to_be_visible(
            timeout=PATIENCE_MS
        )
        if table.get_attribute("data-phase") == "reveal":
            return
        dudo = page.locator("#own button[value=dudo]")
        seen = page.locator("#own").get_attribute("data-seq")
        (dudo if dudo.count() else move).click()
        expect(page.locator("#own")).not_to_have_attribute("data-seq", seen or "")
    raise AssertionError("nobody doubted")


@pytest.mark.parametrize("size", [(320, 568), (360, 740)])
def test_a_press_beside_the_judgement_begins_at_that_moment(
    site: Site, visitor: Callable[..., Page], size: tuple[int, int]
) -> None:
    where, told = site
    viewport = {"width": size[0], "height": size[1]}
    page = signed_in(visitor(viewport=viewport, reduced_motion="reduce"), site)
    page.goto(f"{where.url}/games/{told['duel']}/replay")
    number = own_decision(page)
    page.goto(f"{where.url}/games/{told['duel']}/replay/{number}")
    bid = page.locator("#table [aria-current] .what").inner_text()
    assert bid
    page.locator(".to-review").click()
    again = page.locator("#judgement").get_by_role("button", name="Try again")
    expect(again).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#judgement")).to_contain_text("nothing counts")
    # It is on the line of the verdict: no option is lower because of it.
    verdict, button = page.evaluate(VERDICT_AND_BUTTON)
    assert button["top"] <= (verdict["top"] + verdict["bottom"]) / 2 <= button["bottom"]
    assert button["height"] >= 44 and not wider_than_screen(page)
    again.click()
    page.wait_for_url(re.compile(rf"/games/(?!{told['duel']})\w+$"))
    expect(page.locator("#own.is-turn")).to_be_visible()
    expect(page.locator("#own button[value=dudo]")).to_be_visible()  # on the same bid
    assert not wider_than_screen(page)
    plays_to_the_reveal(page)
    page.locator(".about a", has_text="Back to the moment").click()
    page.wait_for_url(re.compile(rf"/games/{told['duel']}/replay/{number}$"))


def test_the_form_of_a_replay_follows_the_moment(site: Site, visitor: Callable[..., Page]) -> None:
    where, told = site
    page = visitor(reduced_motion="reduce")
    page.goto(f"{where.url}/games/{told['duel']}/replay/1")
    form = page.locator("#try-again")
    expect(form).to_be_hidden()  # a deal
    page.locator("#step-next").click()
    expect(form).to_be_visible()
    assert_accessible(page)
    form.get_by_role("button", name="Try again").click()
    page.wait_for_url(re.compile(rf"/games/(?!{told['duel']})\w+$"))
    expect(page.locator("#own.is-turn")).to_be_visible()  # as a guest


def test_without_a_script_the_page_of_a_review_leads_there(
    site: Site, visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = visitor(java_script_enabled=False)
    here = f"{where.url}/games/{told['duel']}/replay"
    page.goto(f"{here}/2")
    page.locator(".to-review").click()
    again = page.locator(".judgement").get_by_role("button", name="Try again")
    expect(again).to_be_visible(timeout=PATIENCE_MS)
    again.click()
    page.wait_for_url(re.compile(rf"/games/(?!{told['duel']})\w+$"))
    expect(page.locator("#own.is-turn")).to_be_visible()
