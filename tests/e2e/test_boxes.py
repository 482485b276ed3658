"""What a player needs at a moment is on the screen, whatever the screen: measured by boxes.

At 100 % text without scrolling, from 320 × 568 to a desktop, upright and lying, with two to six
players, in the longest language; with larger text (WCAG 1.4.4, 1.4.10) nothing is cut off or lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import (
    OTHER_SIZES,
    PHONE,
    SMALLEST,
    Faults,
    Screens,
    Size,
    arranged_once,
    contrast_within,
    faults,
    faults_of_a_notice,
    larger_text,
    look,
    resize,
)
from tests.e2e.conftest import QUICK
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

FACES = (".seat", ".seat:not(.is-out) > .avatar")
BID = (".bid", ".bid-by", ".speaks .clock", ".my-dice .die", *FACES)
NUMBER = (".face", ".signs", "#quantity", ".step", "button[value=bid]")
COUNT = (".call", ".count > b", ".count .of", ".hand .die", *FACES)
VERDICT = (".verdict .right", ".verdict > p:not(.visually-hidden)")
LAST_BID = (".bid", ".bid-by", ".speaks > p", ".seat")
NEEDED: dict[str, tuple[str, ...]] = {
    "opening": (".cue", *BID, ".why-first", *NUMBER),
    "turn": (".cue", *BID, *NUMBER, "button[value=dudo]"),
    "turn_with_calza": (".cue", *BID, *NUMBER, "button[value=dudo]", "button[value=calza]"),
    "turn_with_odds": (".cue", *BID, *NUMBER, "button[value=dudo]", "button[value=calza]", ".odds"),
    "palifico": (".cue", *BID, *NUMBER, "button[value=dudo]", ".mark.loud"),
    "last_die": (".cue", *BID[3:], *NUMBER, ".mark.loud"),
    "waiting": (*LAST_BID, *BID),
    "waiting_with_calza": (*LAST_BID, *BID, "button[value=calza]"),
    "reveal": (*COUNT, *VERDICT, "button[value=confirm]"),
    "reveal_before_palifico": (*COUNT, *VERDICT, ".seat-change", "button[value=confirm]"),
    "reveal_of_calza": (*COUNT, *VERDICT, ".became", ".seat-change", "button[value=confirm]"),
    "seen": (*COUNT, *VERDICT, "#own p"),
    "out": (*LAST_BID, "#own > :not([type=hidden])"),
    "over": (*COUNT, *VERDICT, ".seat > .avatar", ".winner", ".after > *"),
}
SIZES = (*SMALLEST, *OTHER_SIZES)
NARROW = tuple(size for size in SIZES if size[0] < 960)
THUMB_SIZES: Sequence[Size] = ((320, 568), (360, 740), (360, 800), (390, 844), (430, 932))
MOTIONLESS = """(ms) => {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = ms;
  }
}"""

FACE_BOXES = """() => [...document.querySelectorAll(".face")].map((face) => {
  const { width, height } = face.getBoundingClientRect();
  return [width, height];
})"""


@pytest.fixture(scope="module")
def screens(
    browser: Browser, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Screens]:
    folder = tmp_path_factory.mktemp("boxes")
    shared = folder.parent.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    data, tables = arranged_once(prepared_folder, shared / "arranged")
    site = LiveSite.of(data, folder / "site", **QUICK)
    site.start()
    screens = Screens(browser, site, tables)
    yield screens
    screens.close()
    site.kill()


@pytest.mark.parametrize("state", NEEDED)
def test_all_that_is_needed_is_on_the_screen(screens: Screens, state: str) -> None:
    """The fullest table on the smallest screens in each language, all else in the longest.

    However few dice and words stand above the values to choose from, a thumb finds each.
    """
    found: Faults = {}

    def measure(page: Page, seats: int, language: str, sizes: Sequence[Size]) -> None:
        for size, told in faults(page, NEEDED[state], sizes):
            found[f"{seats} seats, {language}, {size}"] = told

    *fewer, fullest = sorted(screens.tables[state])
    for language, page in screens.visits(state):
        measure(page, fullest, language, SMALLEST)
        if state in ("last_die", "turn", "turn_with_odds"):
            for size in THUMB_SIZES:
                resize(page, size)
                for box in page.evaluate(FACE_BOXES):
                    assert min(box) >= 44, (language, size, box)
    longest = screens.longest(state)
    if fullest in (2, 6):
        measure(screens.pages[longest], fullest, longest, OTHER_SIZES)
    for seats in fewer:
        page = screens.go(longest, state, seats)
        measure(page, seats, longest, SIZES if seats in (2, 6) else SMALLEST)
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_a_notice_lies_over_all_else(screens: Screens, state: str) -> None:
    page = screens.go("it", state, max(screens.tables[state]))
    assert faults_of_a_notice(page, (*SIZES, (412, 915))) == {}


@pytest.mark.parametrize(
    "state", ["turn_with_calza", "turn_with_odds", "waiting", "reveal_before_palifico", "over"]
)
def test_nothing_is_lost_with_larger_text(screens: Screens, state: str) -> None:
    """At 130 % and 200 %, and at 200 % of the text alone."""
    page = screens.go(screens.longest(state), state, 6)
    found: Faults = {}
    for size in ((360, 740), (1280, 720)):
        resize(page, size)
        for pixels, alone in ((21, False), (32, False), (32, True)):
            with larger_text(page, pixels=pixels, alone=alone):
                found[f"{size}, {pixels} px, {alone=}"] = look(page, NEEDED[state], scrolls=True)
    assert not any(found.values()), found


def test_nothing_is_lost_on_a_screen_enlarged_four_times(screens: Screens) -> None:
    """WCAG 1.4.10: 1280 × 1024 at 400 % is 320 × 256."""
    found: Faults = {}
    for state in ("turn_with_calza", "reveal_before_palifico"):
        page = screens.go(screens.longest(state), state, 6)
        for _, told in faults(page, NEEDED[state], [(320, 256)], scrolls=True):
            found[state] = told
    assert found == {}


@pytest.mark.parametrize("seats", [2, 6])
def test_the_count_and_then_the_verdict_are_on_the_screen(
    screens: Screens, browser: Browser, seats: int
) -> None:
    """A reveal as it comes over the socket: held while the count climbs, then at its end."""
    path, key = screens.tables["doubt"][seats]
    context = browser.new_context(viewport={"width": 320, "height": 568})
    context.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
    page = context.new_page()
    page.goto(f"{screens.site.url}{path}")
    page.locator("#own button[value=dudo]:enabled").click()
    page.locator(".reveal.is-fresh").wait_for()
    page.evaluate(MOTIONLESS, 1_600)
    assert page.locator(".verdict").evaluate("(e) => getComputedStyle(e).opacity") == "0"
    counting = (".call", ".count > b", ".count .of", "#own button")
    found = {f"count, {size}": told for size, told in faults(page, counting, SIZES, moving=True)}
    page.evaluate(MOTIONLESS, 60_000)
    needed = NEEDED["reveal"]
    found |= {f"verdict, {size}": told for size, told in faults(page, needed, SIZES)}
    context.close()
    assert found == {}


@pytest.mark.parametrize("state", ["waiting", "waiting_with_calza"])
def test_a_waiting_player_reads_the_last_bids_and_has_the_phrases(
    screens: Screens, state: str
) -> None:
    """In the panel, where the chat has no column of its own."""
    page = screens.go(screens.longest(state), state, 6)
    needed = (*NEEDED[state], ".phrases")
    found = {str(size): told for size, told in faults(page, needed, NARROW)}
    # Where a low screen has a call to offer besides, the last bid is on the board alone.
    sizes = [size for size in NARROW if state == "waiting" or size[1] >= 672 or size[0] > size[1]]
    for size, told in faults(page, (".bids li:last-child",), sizes):
        found[f"bids, {size}"] = told
    assert found == {}


def test_the_chat_opens_over_the_panel_and_leaves_a_turn_in_sight(screens: Screens) -> None:
    found: Faults = {}
    chat = ("#talk-panel summary", "#say-text", ".own-words button")
    for state, kept in (("waiting", ()), ("turn", (".cue", ".my-dice .die"))):
        page = screens.go(screens.longest(state), state, 6)
        resize(page, PHONE, scale=1)
        page.locator(".talk-link").click()
        for size in NARROW:
            resize(page, size)
            if told := look(page, (*LAST_BID, *kept, *chat)):
                found[f"{state}, {size}"] = told
    assert found == {}


def test_while_others_may_call_calza_the_panel_says_so(screens: Screens) -> None:
    page = screens.go(screens.longest("turn_with_calza"), "turn_with_calza", 6)
    page.evaluate(
        "document.querySelectorAll('[data-opens]').forEach((e) => (e.dataset.opens = 9e15))"
    )
    expect(page.locator("button[value=dudo]")).to_be_disabled()
    needed = tuple(part for part in NEEDED["turn_with_calza"] if part != ".signs")
    found = {str(size): told for size, told in faults(page, (*needed, ".pause"), SIZES)}
    assert found == {}


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (768, 1024), (1440, 900)])
def test_the_end_says_what_became_of_you_where_there_is_room(screens: Screens, size: Size) -> None:
    page = screens.go("fr", "over", 6)
    assert list(faults(page, (".ended", ".after > *"), [size])) == []


@pytest.mark.parametrize("size", [(390, 844), (360, 740), (1280, 800)])
def test_a_bid_is_a_bubble_at_its_seat(screens: Screens, size: Size) -> None:
    page = screens.go("fr", "turn", 6)
    assert list(faults(page, (".seat.is-bidder .seat-bid", *BID), [size])) == []


def test_confetti_falls_once_and_only_for_the_winner_who_wants_motion(
    screens: Screens, browser: Browser
) -> None:
    """The end as it comes over the socket: confetti after the count; none after a reload."""
    for motion in ("no-preference", "reduce"):
        path, key = screens.tables[f"last_doubt_{motion[:2]}"][2]
        context = browser.new_context(reduced_motion=motion)
        context.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
        page = context.new_page()
        page.goto(f"{screens.site.url}{path}")
        page.locator("#own button[value=dudo]:enabled").click()
        page.locator(".ended.is-won").wait_for()
        expect(page.locator(".confetti")).to_be_visible(visible=motion != "reduce")
        moving: list[str] = page.evaluate(
            "document.getAnimations().map((each) => each.animationName)"
        )
        assert moving.count("fall") == (24 if motion == "no-preference" else 0)
        page.reload()
        expect(page.locator(".ended.is-won")).to_be_visible()
        expect(page.locator(".confetti")).to_be_hidden()
        context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dim_dice_can_be_read(screens: Screens, theme: str) -> None:
    page = screens.context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=theme)
    for state, dice in (("reveal", ".hand .die.dim"), ("turn", ".face:has(:disabled) .die")):
        screens.lead(page, state, 6)
        found = page.locator(dice)
        assert found.count() or state == "turn"
        for number in range(min(found.count(), 3)):
            assert contrast_within(found.nth(number)) >= 3, f"{dice} in {theme}"
    page.close()


def test_the_focus_scrolls_nothing_when_it_comes_to_what_is_in_sight(screens: Screens) -> None:
    """As with the keyboard; a button of the panel that sticks to the edge is always in sight."""
    for state in ("doubt", "reveal"):
        page = screens.go("en", state, 6)
        for control in page.locator("#own :is(button, input):enabled").all():
            control.evaluate("(element) => element.focus()")
            assert page.evaluate("[scrollY, innerWidth]") == [0, 360], (state, control)


def test_an_open_hand_lies_over_no_cup_and_no_face(screens: Screens) -> None:
    page = screens.go("en", "reveal", 6)
    for width, height in ((360, 740), (390, 844), (412, 915)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".seat .hand .die").count() == 30
        expect(page.locator(".seat:has(.hand) > .cup:visible")).to_have_count(0)
        lowest = page.evaluate(
            """() => Math.max(...[...document.querySelectorAll(".seat:has(.hand)")].map((seat) =>
              seat.querySelector(".avatar").getBoundingClientRect().bottom
              - seat.querySelector(".die").getBoundingClientRect().top))"""
        )
        assert lowest <= 1, (width, height)


def test_the_menu_button_has_its_margin(screens: Screens) -> None:
    """What is drawn of it; what can be touched may be larger."""
    page = screens.go("en", "turn", 6)
    resize(page, PHONE)
    top, right, bottom = page.evaluate(
        """() => {
          const button = document.querySelector(".menu-opener");
          const box = button.getBoundingClientRect();
          const head = document.querySelector(".head");
          const edge = getComputedStyle(button, "::before");
          const drawn = edge.content !== "none" && edge.position === "absolute";
          const inset = drawn ? [edge.top, edge.right, edge.bottom].map(parseFloat) : [0, 0, 0];
          const [over, beside, under] = inset;
          const band = parseFloat(getComputedStyle(head, "::after").height);
          return [box.top + over, innerWidth - box.right + beside,
                  head.getBoundingClientRect().bottom - band - box.bottom + under];
        }"""
    )
    assert min(top, bottom) >= 4, (top, bottom)
    assert right >= 8
