"""The review of Perudo in a browser: its chart, and what it says of each moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import TWICE, larger_text, resize
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

SIZES = ((320, 568), (360, 740), (640, 360), (768, 1024), (1280, 720))
# A worker on a busy machine takes its time.
PATIENCE_MS = 60_000
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def site(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    data, told = arrange("tests.e2e.arranged_reviews")
    with served(data, tmp_path_factory.mktemp("reviews") / "site") as site:
        yield site, told


@pytest.fixture
def replay(site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]) -> Open:
    """Opens the replay of a game as one who played it, or as nobody, with its review or without."""

    def opening(
        game: str = "full",
        rest: str = "/1",
        *,
        size: tuple[int, int] = (360, 740),
        plays: bool = True,
        reviewed: bool = True,
        **options: object,
    ) -> Page:
        where, told = site
        viewport = {"width": size[0], "height": size[1]}
        page = visitor(viewport=viewport, reduced_motion="reduce", **options)
        if plays:
            cookie = {"name": "sessionid", "value": told["key"], "url": where.url}
            page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(f"{where.url}/games/{told[game]}/replay{rest}")
        if reviewed:
            page.locator(".to-review").click()
            expect(page.locator(".first-look")).to_be_visible(timeout=PATIENCE_MS)
        return page

    return opening


def errors(page: Page, kind: str = "") -> Locator:
    return page.locator(f".drawn .mark{f'.is-{kind}' if kind else ':not(.is-lucky)'}.is-mine")


def moment_of(link: Locator) -> int:
    found = re.search(r"/replay/(\d+)", link.get_attribute("href") or "")
    assert found
    return int(found[1])


def is_at(page: Page, number: int) -> None:
    expect(page.locator(".where")).to_have_text(re.compile(rf"^{number} "))
    expect(page).to_have_url(re.compile(rf"/replay/{number}(\?|$)"))


@pytest.mark.parametrize("size", [(360, 740), (1280, 720)])
def test_marks_and_every_place_of_the_chart_lead_to_their_moments(
    replay: Open, size: tuple[int, int]
) -> None:
    page = replay(size=size)
    expect(page.locator(".first-look")).to_be_focused()  # the button that was pressed is gone
    expect(page.locator("#judgement")).to_have_count(0)  # a deal
    mark = errors(page, "blunder").last
    page.locator("#chances-title").evaluate("(title) => title.scrollIntoView()")
    box = mark.locator(".hit").bounding_box()
    assert box is not None  # others may lie over it
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    is_at(page, moment_of(mark))
    judgement = page.locator("#judgement .judgement")
    expect(judgement.locator(".judged b")).to_have_text("Blunder")
    expect(judgement.locator(".why")).to_contain_text("Better: ")
    rows = judgement.locator("tbody tr")
    assert 2 <= rows.count() <= 6
    expect(rows.first).to_contain_text("best")
    expect(judgement.locator(".is-played")).to_have_count(1)
    expect(judgement.locator(".is-played")).to_contain_text("played")

    page.locator(".drawn").scroll_into_view_if_needed()
    bands = page.locator(".bands rect").first.bounding_box()
    assert bands is not None
    count = int(page.locator("#replay-at").get_attribute("max") or 0)
    page.mouse.click(bands["x"] + bands["width"] / 4, bands["y"] + 80)
    is_at(page, 1 + round((count - 1) / 4))
    now = page.locator(".now")
    page.keyboard.press("End")
    expect(now).to_have_attribute("x1", "100%")
    expect(page.locator(".legend .chance").filter(has_text="100%")).to_have_count(1)
    page.locator(".drawn").scroll_into_view_if_needed()
    bands = page.locator(".bands rect").first.bounding_box()
    assert bands is not None
    page.mouse.click(bands["x"], bands["y"] + 80)
    is_at(page, 1)
    expect(now).to_have_attribute("x1", "0%")


def test_each_step_is_judged_without_another_question(replay: Open) -> None:
    page = replay()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    verdicts = set()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.getElementById('replay-at').value > 1")
        if page.locator("#judgement .judged b").count():
            verdicts.add(page.locator("#judgement .judged b").inner_text())
    assert {"Played by a bot", "Blunder"} <= verdicts
    assert not [url for url in asked if "review" in url]


def test_the_moments_to_look_at_are_ones_own_and_say_what_was_better(replay: Open) -> None:
    page = replay()
    expect(page.locator(".ended-so")).to_have_text(re.compile("You won|You finished"))
    expect(page.locator(".figures li")).to_have_count(3)
    again = page.locator(".again > li")
    expect(again).to_have_count(2)
    expect(again.first).to_contain_text("Better: ")
    link = again.first.locator("a")
    link.click()
    is_at(page, moment_of(link))
    expect(page.locator("#judgement .judged b")).to_have_text(re.compile("Blunder|Mistake"))
    page = replay(plays=False)
    expect(page.locator(".ended-so")).to_have_text(re.compile(r"\w+ won\."))
    expect(page.locator(".again > li").first).to_contain_text(re.compile(r"Round \d+, \w+"))


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (640, 360), (1280, 720)])
def test_what_a_link_or_a_press_leads_to_is_in_sight(replay: Open, size: tuple[int, int]) -> None:
    page = replay(size=size)
    for link in (page.locator(".again a").first, page.locator(".again a").last):
        link.click()
        is_at(page, moment_of(link))
        assert page.evaluate(IN_SIGHT, "#judgement")
    page.locator(".drawn").evaluate("(e) => e.scrollIntoView({ block: 'start' })")
    mark = errors(page).first
    box = mark.locator(".hit").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    is_at(page, moment_of(mark))
    assert page.evaluate(IN_SIGHT, "#judgement")


def test_marks_are_walked_through_by_keyboard(replay: Open) -> None:
    page = replay(size=(1280, 720))
    marks = page.locator(".drawn .mark")
    numbers = [moment_of(each) for each in marks.all()]
    assert numbers == sorted(numbers)
    for place in range(3):
        page.keyboard.press("Tab")
        expect(marks.nth(place)).to_be_focused()
    assert re.match(
        r".+ – round \d+, .+: .+|Round \d+, ", marks.nth(2).get_attribute("aria-label") or ""
    )
    errors(page).first.focus()
    page.keyboard.press("Enter")
    is_at(page, moment_of(errors(page).first))
    expect(errors(page).first).to_be_focused()
    told = page.locator("#judgement .why").inner_text()
    expect(page.locator("#live")).to_have_text(told)


def test_a_table_says_what_the_chart_shows(replay: Open) -> None:
    page = replay(size=(768, 1024))
    page.locator("summary", has_text="Chances and errors by round").click()
    table = page.locator(".by-round table")
    expect(table.get_by_role("columnheader")).to_have_count(8)
    expect(table.locator("tbody tr").last).to_contain_text("100%")
    link = table.locator("tbody td a").first
    link.click()
    is_at(page, moment_of(link))


def test_who_guesses_reads_the_judgement_of_that_seat_alone(replay: Open) -> None:
    page = replay(rest="/2?seat=0", size=(1280, 720))
    assert "seat=0" in (errors(page).first.get_attribute("href") or "")
    mark = errors(page).first
    mark.focus()
    page.keyboard.press("Enter")
    is_at(page, moment_of(mark))
    expect(page.locator("#judgement .judgement")).to_be_visible()
    steps = page.evaluate("JSON.parse(document.getElementById('replay-steps').textContent)")
    other = next(n for n, (*_, seat, _told) in enumerate(steps, start=1) if seat > 0)
    page.locator("#replay-at").evaluate(
        "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('change')); }", other
    )
    is_at(page, other)
    expect(page.locator("#judgement")).to_have_count(0)


def test_a_page_says_the_same_without_a_script(replay: Open) -> None:
    replay()  # it is made
    page = replay(rest="/9", reviewed=False, java_script_enabled=False)
    page.locator(".to-review").click()
    expect(page).to_have_url(re.compile(r"/replay/review\?at=9$"))
    expect(page.locator(".drawn")).to_be_visible()
    mark = errors(page, "blunder").last
    mark.focus()
    page.keyboard.press("Enter")
    number = re.search(r"at=(\d+)$", page.url)
    assert number
    expect(page.locator(".judgement")).to_have_count(1)
    expect(page.locator(".judgement .judged b")).to_have_text("Blunder")
    page.locator(".judgement summary").click()
    expect(page.locator(".judgement .options tbody tr").first).to_contain_text("best")
    expect(page.locator(".again > li")).to_have_count(2)
    page.get_by_role("link", name="Next decision").click()
    expect(page).not_to_have_url(re.compile(rf"at={number[1]}$"))
    expect(page.locator(".judgement")).to_have_count(1)
    page.get_by_role("link", name="Watch the replay").click()
    expect(page).to_have_url(re.compile(r"/replay/\d+$"))


def test_a_game_without_values_says_so_and_has_no_chart(replay: Open) -> None:
    page = replay("cards")
    expect(page.get_by_text("Not judged")).to_be_visible()
    expect(page.locator(".first-look")).to_be_focused()
    expect(page.locator(".chances, .judgement, #review template")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    is_at(page, 2)


# What of the review is cut off or lies outside of the screen, unless one may scroll there.
CUT = """() => {
  for (const each of document.querySelectorAll("#review details, .judgement details"))
    each.open = true;
  const wide = document.documentElement.clientWidth;
  return [".first-look", ".judgement", ".review"].flatMap((part) => {
    const walker = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_TEXT);
    const faults = [];
    for (let node; (node = walker.nextNode()); ) {
      const owner = node.parentElement;
      if (!node.data.trim() || owner.closest(".visually-hidden, title, .scrolls")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right } of range.getClientRects())
        if (left < -.5 || right > wide + .5) faults.push(`${node.data.trim()} to ${right}`);
    }
    for (const each of document.querySelectorAll(`${part}, ${part} *`)) {
      const { overflowX } = getComputedStyle(each);
      if (each.closest(".visually-hidden, svg, .scrolls") || overflowX === "visible") continue;
      if (each.scrollWidth > each.clientWidth + 1) faults.push(each.outerHTML.slice(0, 60));
    }
    return faults;
  });
}"""
# Whether a part lies wholly on the screen, and under nothing.
IN_SIGHT = """(selector) => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const part = document.querySelector(selector);
  return [top + 1, bottom - 1].every((y) =>
    [left + 1, right - 1].every((x) => part.contains(document.elementFromPoint(x, y))));
}"""
# Marks and texts of the chart that lie over each other.
OVER = """() => {
  const drawn = document.querySelector(".drawn").getBoundingClientRect();
  return [...document.querySelectorAll(".chances .legend, .chances h2")]
    .map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
    .filter(([, { top, bottom }]) => top < drawn.bottom - 1 && bottom > drawn.top + 1)
    .map(([text]) => text);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_fits_every_screen(replay: Open, language: str) -> None:
    page = replay(extra_http_headers={"Accept-Language": language})
    page.locator(".again a").first.click()
    expect(page.locator("#judgement .judgement")).to_be_visible()
    found = {}
    for size in SIZES:
        resize(page, size)
        faults = [*page.evaluate(CUT), *page.evaluate(OVER), *wider_than_screen(page)]
        found[str(size)] = faults
        for pixels, alone in TWICE:
            with larger_text(page, pixels=pixels, alone=alone):
                found[f"{size}, {pixels} px, {alone=}"] = [
                    *page.evaluate(CUT),
                    *page.evaluate(OVER),
                ]
    assert not any(found.values()), {size: told for size, told in found.items() if told}


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False], ids=["in the replay", "as a page"])
def test_it_has_no_barriers(replay: Open, scripts: bool) -> None:
    page = replay()
    if scripts:
        page.locator(".again a").first.click()
        expect(page.locator("#judgement .judgement")).to_be_visible()
    else:
        page.goto(f"{page.url.rpartition('/')[0]}/review")
    assert_accessible(page, widths=(320, 768, 1280))


def test_a_link_to_a_moment_opens_with_its_judgement(replay: Open) -> None:
    """Nobody presses Review first; without a script it stands there too."""
    made = replay()
    number = moment_of(errors(made, "blunder").last)
    for script in (True, False):
        page = replay(rest=f"/{number}", plays=False, reviewed=False, java_script_enabled=script)
        judgement = page.locator(".judgement")
        expect(judgement.locator(".judged b")).to_have_text("Blunder")
        expect(judgement.locator(".why")).to_be_visible()
        expect(judgement.locator(".mark-sign")).to_be_visible()
        expect(page.locator(".first-look")).to_have_count(0)
        if script:
            page.locator("#step-prev").click()
            is_at(page, number - 1)
            expect(judgement).to_have_count(0)
            page.locator("#step-next").click()
            expect(judgement).to_have_count(1)
