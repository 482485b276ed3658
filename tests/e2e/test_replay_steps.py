"""The steps of a replay in a browser: buttons that never move, keys, slider, swipes, playing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.boxes import SMALLEST
from tests.e2e.conftest import ARRANGING_MODULES, FinishedGame

pytestmark = pytest.mark.e2e

BUTTONS = """() => [...document.querySelectorAll(".step-buttons > *, .track input, .speed")]
  .map((each) => JSON.stringify(each.getBoundingClientRect())).join(" ")"""
# What is chosen or current beside and under the table, and drawn in the colour of whose turn it is.
GOLDEN = """() => {
  const probe = document.querySelector("main").appendChild(document.createElement("i"));
  probe.style.color = "var(--gold)";
  const gold = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll("main :is([aria-pressed=true], [aria-current])")]
    .filter((each) => each.checkVisibility()).filter((each) => {
      const { backgroundColor, backgroundImage, borderColor, boxShadow } = getComputedStyle(each);
      return [backgroundColor, backgroundImage, borderColor, boxShadow].join().includes(gold);
    }).map((each) => each.textContent.trim());
}"""
Open = Callable[..., Page]


@pytest.fixture(params=ARRANGING_MODULES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def replay(
    browser: Browser, finished_game: Callable[[str], FinishedGame], game: str
) -> Iterator[Open]:
    """Opens the replay of the fullest finished game, as the first player at its table."""
    site, path, key = finished_game(game)
    contexts: list[BrowserContext] = []

    def open_replay(rest: str = "", *, size: tuple[int, int] = (360, 740), **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options
        )
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{site.url}{path}")
        page.goto(f"{site.url}{path}/replay{rest}")
        return page

    yield open_replay
    for context in contexts:
        context.close()


def count(page: Page) -> int:
    return int(page.locator("#replay-at").get_attribute("max") or 0)


def is_at(page: Page, number: int) -> None:
    expect(page.locator(".where")).to_have_text(re.compile(rf"^{number} "))


def stop_the_clock(page: Page) -> None:
    """From now on it goes only as the test says."""
    page.clock.install(time="2030-01-01T10:00:00")
    page.reload()
    page.clock.pause_at("2030-01-01T11:00:00")


def reveals(page: Page) -> list[int]:
    steps = page.evaluate("JSON.parse(document.getElementById('replay-steps').textContent)")
    return [number for number, (_, opens, *_rest) in enumerate(steps, start=1) if opens]


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALLEST[0], (740, 360)])
def test_the_buttons_lie_where_they_lay_at_every_moment(
    replay: Open, size: tuple[int, int]
) -> None:
    """Of the first rounds, and at the end, whose number is the longest."""
    page = replay(size=size, locale="fr-FR")
    places = set()
    last = count(page)
    for number in range(1, min(last, 40) + 1):
        is_at(page, number)
        places.add(page.evaluate(BUTTONS))
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    is_at(page, last)
    places.add(page.evaluate(BUTTONS))
    assert len(places) == 1


def test_a_replay_is_walked_through_by_keys_and_left_in_one_press(replay: Open) -> None:
    page = replay()
    table = page.url.rpartition("/replay")[0]
    first, second, *_ = reveals(page)
    last = count(page)
    for key, number in {
        "ArrowRight": 2,
        "ArrowLeft": 1,
        "End": last,
        "Home": 1,
        "d": first,
        "D": second,
        "Shift+D": first,
    }.items():
        page.keyboard.press(key)
        is_at(page, number)
        expect(page).to_have_url(f"{table}/replay/{number}")
    page.keyboard.press("r")
    expect(page.locator(".ribbon")).to_contain_text("2")
    page.keyboard.press("m")
    expect(page.locator(".move-list [aria-current]")).to_be_visible()
    page.reload()
    page.go_back()
    expect(page).to_have_url(table)


def test_the_slider_says_where_it_is(replay: Open) -> None:
    page = replay()
    middle = count(page) // 2
    slider = page.get_by_role("slider", name="Moment")
    slider.evaluate(
        "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('input')); }", middle
    )
    is_at(page, middle)
    told = page.locator(".slid")
    expect(told).to_have_text(re.compile(r"^Round \d+( · .+)?$"))
    assert slider.get_attribute("aria-valuetext") == told.inner_text()
    slider.dispatch_event("change")
    expect(told).to_be_hidden()


def test_a_slider_that_is_dragged_asks_for_the_moments_it_rests_at(replay: Open) -> None:
    page = replay()
    last = count(page)
    with page.expect_response(re.compile(r"/from/\d+")):
        page.reload()
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#replay-at").evaluate(
        """(slider, last) => {
          for (let at = 1; at <= last; at++) {
            slider.value = at;
            slider.dispatchEvent(new Event("input"));
          }
        }""",
        last,
    )
    is_at(page, last)
    assert 0 < len([url for url in asked if "/from/" in url]) <= 3


def test_it_plays_to_the_end_and_stops_when_asked(replay: Open) -> None:
    page = replay()
    stop_the_clock(page)
    play = page.get_by_role("button", name="Play", exact=True)
    play.click()
    page.clock.run_for(850)
    is_at(page, 1)
    page.clock.run_for(100)
    is_at(page, 2)
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(10_000)
    is_at(page, 2)
    page.get_by_role("group", name="Speed").get_by_role("button", name="fast").click()
    place = reveals(page)[0]
    page.keyboard.press("Home")
    page.keyboard.press("d")
    is_at(page, place)
    play.click()
    page.clock.run_for(950)  # a reveal stands for two seconds, at this speed for one
    is_at(page, place)
    page.clock.run_for(100)
    is_at(page, place + 1)
    play.click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    play.click()
    page.clock.run_for(3_000)
    is_at(page, count(page))
    expect(play).to_have_attribute("aria-pressed", "false")


def test_it_plays_at_one_of_three_speeds_and_the_next_replay_too(replay: Open) -> None:
    page = replay()
    speeds = page.get_by_role("group", name="Speed")
    expect(speeds.get_by_role("button")).to_have_text(["slow", "normal", "fast"])
    pressed = speeds.locator("[aria-pressed=true]")
    expect(pressed).to_have_text(["normal"])
    speeds.get_by_role("button", name="slow").click()
    expect(pressed).to_have_text(["slow"])
    stop_the_clock(page)
    expect(pressed).to_have_text(["slow"])
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(1_700)
    is_at(page, 1)
    page.clock.run_for(200)
    is_at(page, 2)


def test_gold_is_not_for_what_is_chosen(replay: Open) -> None:
    """The speed, the round and the move that is shown: it says whose turn it is."""
    page = replay("/3", size=(1280, 720))
    for chosen in (
        ".speed [aria-pressed=true]",
        ".move-list [aria-current]",
        ".round-list [aria-current]",
    ):
        expect(page.locator(chosen)).to_be_visible()
    assert page.evaluate(GOLDEN) == []


def test_a_button_that_is_held_goes_on_and_a_swipe_on_the_board_is_a_step(replay: Open) -> None:
    page = replay(has_touch=True)
    stop_the_clock(page)
    is_at(page, 1)
    page.locator("#step-next").hover()
    page.mouse.down()
    page.clock.run_for(450)
    for number in range(2, 6):
        page.clock.run_for(200)
        is_at(page, number)
    page.mouse.up()
    page.clock.run_for(1_000)
    is_at(page, 5)
    swipe(page, ".board", -120)
    is_at(page, 6)
    swipe(page, ".board", 120)
    is_at(page, 5)
    swipe(page, ".moment", -120)
    is_at(page, 5)


def swipe(page: Page, start: str, across: int) -> None:
    page.locator(start).evaluate(
        """(element, across) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const [clientX, clientY] = [left + width / 2, top + height / 2];
          const touch = { pointerType: "touch", pointerId: 7, bubbles: true, clientY };
          const event = (name, x) => element.dispatchEvent(
            new PointerEvent(name, { ...touch, clientX: x }));
          event("pointerdown", clientX);
          event("pointerup", clientX + across);
        }""",
        across,
    )


def test_without_script_the_buttons_are_links(replay: Open) -> None:
    page = replay(java_script_enabled=False, locale="it-IT")
    is_at(page, 1)
    page.locator("#step-next").click()
    is_at(page, 2)
    expect(page.locator(".move-list [aria-current]")).to_be_visible()
    page.locator("#step-prev").click()
    is_at(page, 1)
    first, *_ = reveals(page)
    page.locator("#step-next-open").click()
    is_at(page, first)
    assert not page.locator("#replay-at, #step-play").first.is_visible()


def test_from_the_end_of_a_game_it_opens_at_ones_own_last_reveal(replay: Open) -> None:
    page = replay()
    page.goto(page.url.rpartition("/replay")[0])
    page.get_by_role("link", name="Watch the replay").click()
    expect(page.locator("#replay-at[aria-valuetext]")).to_be_attached()
    number = int(page.locator(".where").inner_text().split()[0])
    assert number in reveals(page)


def test_what_does_not_come_is_said_and_the_moment_stays(replay: Open) -> None:
    page = replay("/1", service_workers="block")  # what one asks for is not routed
    last = count(page)
    page.route("**/from/*", lambda route: route.abort())
    page.reload()  # or the last moments may have been fetched ahead
    expect(page.locator("#replay-at[aria-valuetext]")).to_be_attached()
    page.keyboard.press("End")
    expect(page.locator("#notice")).to_contain_text("The site isn't answering")
    is_at(page, 1)
    expect(page.locator("#replay-at")).to_have_value("1")
    page.unroute("**/from/*")
    page.route("**/from/*", lambda route: route.fulfill(status=503))
    page.wait_for_timeout(200)  # the request before it is over
    page.keyboard.press("End")
    expect(page.locator("#notice")).to_contain_text("The site is busy")
    is_at(page, 1)
    page.unroute("**/from/*")
    page.keyboard.press("End")
    is_at(page, last)
