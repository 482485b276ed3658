"""Nothing on the page tells how a reveal of Perudo ends before the reveal has shown it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.boxes import Tables
from tests.e2e.conftest import Arrange, arranged_site
from tests.e2e.test_half_made import Again
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

# What the page shows and says as a moment begins: every animation stands at its beginning. The
# argument is a selector for what the moment brings.
NOTE = """(moment) => document.addEventListener("site:swapped", () => setTimeout(() => {
  if (window.noted || !document.querySelector(moment)) return;
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = 0;
  }
  const speaks = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const seen = { opacityProperty: true, visibilityProperty: true };
  const texts = [...document.querySelectorAll("#main :not(.visually-hidden)")]
    .filter((element) => speaks(element) && element.checkVisibility(seen))
    .map((element) => element.textContent.replace(/\\s+/g, " ").trim());
  const live = document.getElementById("live").textContent;
  window.noted = { texts, title: document.title, live };
  document.documentElement.dataset.noted = "yes";
}))"""
OUTCOME = re.compile(
    r"los[et]|w[io]ns?\b|is out|place|is palifico|[−+]\d die|final|rematch|replay|good game",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def tables(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, Tables]]:
    folder = tmp_path_factory.mktemp("suspense")
    with arranged_site(arrange, folder, "tests.e2e.before_reveals") as arranged:
        yield arranged


@pytest.mark.parametrize(
    ("state", "seats", "width", "call", "end"),
    [
        ("doubt", 6, 360, "dudo", "You lose a die"),
        ("too_high", 6, 1280, "dudo", "loses a die"),
        ("exact", 6, 360, "calza", "You win back a die"),
        ("last_doubt_no", 2, 360, "dudo", "is out"),
        ("last_doubt_re", 2, 1280, "dudo", "is out"),
    ],
)
def test_nothing_tells_the_outcome_before_the_reveal_does(
    browser: Browser,
    tables: tuple[LiveSite, Tables],
    state: str,
    seats: int,
    width: int,
    call: str,
    end: str,
) -> None:
    site, arranged = tables
    path, key = arranged[state][seats]
    context = browser.new_context(viewport={"width": width, "height": 800})
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}{path}")
    ribbon, title = page.locator(".ribbon .mark").nth(1), page.title()
    in_play = ribbon.inner_text()
    page.evaluate(NOTE, "[data-reveal]")
    page.locator(f"#own button[value={call}]:enabled").click()
    page.locator("html[data-noted]").wait_for(state="attached")
    noted = page.evaluate("noted")
    assert any(f"You call {call}!" in text for text in page.locator(".call").all_inner_texts())
    told = [*noted["texts"], noted["title"], noted["live"]]
    assert [text for text in told if OUTCOME.search(text)] == []
    assert in_play in noted["texts"]

    page.keyboard.press("Escape")  # to its end
    expect(page.locator("#live")).to_contain_text(end)
    assert page.title() not in (title, noted["title"])
    if seats > 2:
        expect(ribbon).to_have_text(in_play)
    context.close()


def test_who_left_the_game_keeps_their_words_while_a_reveal_runs(
    browser: Browser, tables: tuple[LiveSite, Tables]
) -> None:
    """Every pill beside a seat says something from the first moment on."""
    site, arranged = tables
    path, key = arranged["doubt_after_leaving"][6]
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.goto(f"{site.url}{path}")
    page.evaluate(NOTE, "[data-reveal]")
    page.locator("#own button[value=dudo]:enabled").click()
    page.locator("html[data-noted]").wait_for(state="attached")
    expect(page.locator(".ring .seat.is-out .seat-state")).to_have_count(1)
    assert {"place 6", "left"} <= set(page.evaluate("noted.texts"))
    context.close()


# Every number that the count shows, one after the other.
CLIMBS = """() => new MutationObserver(() => {
  const shown = document.querySelector("[data-count]")?.textContent;
  window.climbed ??= [];
  if (shown && climbed.at(-1) !== shown) climbed.push(shown);
}).observe(document.getElementById("main"), {
  characterData: true, childList: true, subtree: true,
})"""


def test_the_count_climbs_die_by_die_through_all_hands_and_ones_own(
    browser: Browser, tables: tuple[LiveSite, Tables]
) -> None:
    site, arranged = tables
    path, key = arranged["exact"][5]
    context = browser.new_context(viewport={"width": 360, "height": 800})
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    again = Again(page)
    page.goto(f"{site.url}{path}")
    page.evaluate(CLIMBS)
    page.locator("#own button[value=calza]:enabled").click()
    count = page.locator("[data-count]")
    expect(count).to_have_text(re.compile(r"^[3-9]$"))  # of more than one hand
    assert page.locator("#own .die.lit").count() > 0
    for _ in range(10):  # others press something meanwhile, also just after a die
        again()
        page.wait_for_timeout(70)
    page.locator("html:not([data-suspense])").wait_for(state="attached")
    end = int(count.get_attribute("data-count") or 0)
    climbed = page.evaluate("climbed")
    assert climbed[climbed.index("0") :] == [str(shown) for shown in range(end + 1)]
    context.close()
