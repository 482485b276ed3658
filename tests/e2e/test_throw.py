"""The throw of one's dice: it ends soon, and tells nothing before the dice lie there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import Screens, Size
from tests.e2e.conftest import ARRANGING_MODULES
from tests.e2e.test_pace import CHEAP, ROLL_MS

pytestmark = pytest.mark.e2e

DESK: Size = (1280, 720)
IN_THE_AIR = (380, 470, 560, 650, 740, 830, 920)  # ms after its beginning
# Holds what a style sheet animates, but for the moment in which a new button takes no press.
HOLD = """() => {
  window.films = () => document.querySelector(".shell").getAnimations({ subtree: true })
    .filter(({ animationName }) => animationName && animationName !== "takes-no-press");
  document.addEventListener("site:swapped", () => films().forEach((film) => film.pause()));
}"""
LEAD = "(ms) => films().forEach((film) => { film.currentTime = ms; })"
# Of all that moves within each of some elements: what it is, how and when it moves.
FILMS = """(of) => [...document.querySelectorAll(of)].map((element) => films()
  .filter(({ effect: { target } }) => element.contains(target))
  .map(({ animationName, effect }) => {
    const { target, pseudoElement } = effect;
    const { delay, duration, endTime, iterations, easing } = effect.getComputedTiming();
    const { backgroundImage, backgroundPosition } = getComputedStyle(target, pseudoElement);
    return {
      name: animationName,
      moves: `${target.localName}.${[...target.classList]} ${pseudoElement}`,
      looks: [backgroundImage, backgroundPosition],
      keyframes: effect.getKeyframes(),
      times: [delay, duration, iterations, easing],
      ends: endTime,
    };
  }))"""
# Other values than those that were thrown, in the same places.
OTHERS = """() => {
  for (const use of document.querySelectorAll(".my-dice .die use")) {
    const [sprite, face] = use.getAttribute("href").split("#die-");
    use.setAttribute("href", `${sprite}#die-${face % 6 + 1}`);
  }
}"""
# Where the buttons and fields are, and which of them something else lies over.
PRESSED = """() => [...document.querySelectorAll("#own :is(button, .face)")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  const found = document.elementFromPoint(x + width / 2, y + height / 2);
  return [x, y, width, height, each.contains(found)];
})"""
_OF_A_KEYFRAME = {"offset", "easing", "composite", "computedOffset"}

Film = dict[str, Any]


@contextmanager
def thrown(
    browser: Browser, screens: Screens, *, seats: int, motion: str = "no-preference"
) -> Iterator[Page]:
    """A page on which a round has just begun, everything that moves held."""
    path, key = screens.tables["before_roll"][seats]
    context = browser.new_context(
        viewport={"width": DESK[0], "height": DESK[1]},
        reduced_motion=motion,  # type: ignore[arg-type]
        service_workers="block",
    )
    context.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
    page = context.new_page()
    page.goto(f"{screens.site.url}{path}")
    page.evaluate(HOLD)
    page.locator("#own button[value=confirm]:enabled").click()
    page.locator("#own.is-fresh .my-dice").wait_for(state="attached")
    page.mouse.move(1, 1)
    yield page
    context.close()


def picture(page: Page) -> bytes:
    """The dice and what they fly over."""
    box = page.locator(".my-dice").bounding_box()
    assert box is not None
    x, y = box["x"] - 20, box["y"] - 60
    clip = {"x": x, "y": y, "width": box["width"] + 40, "height": box["height"] + 80}
    return page.screenshot(clip=clip)  # type: ignore[arg-type]


def test_a_throw_moves_what_is_cheap_and_ends_soon(
    browser: Browser, open_screens: Callable[..., Screens]
) -> None:
    screens = open_screens(ARRANGING_MODULES["perudo"])
    with thrown(browser, screens, seats=6) as page:
        [films] = page.evaluate(FILMS, ".shell")
        moved = {key for film in films for frame in film["keyframes"] for key in frame}
        assert moved - _OF_A_KEYFRAME <= CHEAP
        assert {"slam", "slam-mine", "tumble"} <= {film["name"] for film in films}
        of_a_throw = [
            film for hand in page.evaluate(FILMS, ".my-dice, .seat > .cup") for film in hand
        ]
        assert max(film["ends"] for film in of_a_throw) <= ROLL_MS
        assert all(film["times"][2] == 1 for film in of_a_throw)

        # What is pressed stays where it is and can be pressed.
        page.wait_for_timeout(400)
        page.evaluate(LEAD, 0)
        first = page.evaluate(PRESSED)
        assert first
        assert all(pressed[-1] for pressed in first)
        for ms in (*IN_THE_AIR, ROLL_MS):
            page.evaluate(LEAD, ms)
            assert page.evaluate(PRESSED) == first, ms

    with thrown(browser, screens, seats=2, motion="reduce") as page:
        assert page.evaluate(FILMS, ".shell") == [[]]
        expect(page.locator(".my-dice .die").first).to_be_visible()


def test_a_throw_does_not_depend_on_what_is_thrown(
    browser: Browser, open_screens: Callable[..., Screens]
) -> None:
    dice, cups = [], []
    for _ in range(2):  # the same table, thrown at twice
        with thrown(browser, open_screens(ARRANGING_MODULES["perudo"]), seats=6) as page:
            dice.append(page.evaluate(FILMS, ".my-dice .thrown"))
            cups += page.evaluate(FILMS, ".seat:not([data-seat='0'], .is-out) > .cup")
            # The same picture whatever the values are, until the dice lie there.
            for ms in IN_THE_AIR:
                page.evaluate(LEAD, ms)
                before = picture(page)
                page.evaluate(OTHERS)
                assert picture(page) == before, ms
            page.evaluate(LEAD, ROLL_MS)
            before = picture(page)
            page.evaluate(OTHERS)
            assert picture(page) != before
    assert len(cups) == 2 * 5
    assert all(film == cups[0] != [] for film in cups)
    one, other = dice
    assert len(one) == 5
    assert all(one)
    assert one == other
