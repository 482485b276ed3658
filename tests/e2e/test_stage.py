"""The stage of the home page: a stranger with no cookies answers, reads, goes on to play."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.player import Player, wider_than_screen
from tests.e2e.robot import TAPPABLE, Robot
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
# The visible buttons in red; there is one of them, always.
REDS = "[...document.querySelectorAll('main .primary')].filter((e) => e.checkVisibility()).length"


def at_home(
    site: LiveSite, open_browser: OpenBrowser, language: str, size: tuple[int, int]
) -> Robot:
    """A stranger before the question of today."""
    viewport = {"width": size[0], "height": size[1]}
    player = open_browser(site, locale=language, viewport=viewport, has_touch=True, is_mobile=True)
    assert player.page.context.cookies() == []
    robot = Robot(player, language)
    robot.opens(site.url)
    player.page.evaluate("document.fonts.ready")
    return robot


def at_once(page: Page, *seen: Locator) -> None:
    """All of these are on the screen as it is, and nothing lies over their middle."""
    hidden = [
        f"{each}: {told}" for each in seen if isinstance(told := each.evaluate(TAPPABLE), str)
    ]
    assert hidden == [] and page.evaluate("scrollY") == 0


@pytest.mark.parametrize(("day", "own"), [("weekday", ".my-dice"), ("sunday", ".my-cards")])
@pytest.mark.parametrize(("language", "size"), [("en", (360, 740)), ("fr", (320, 568))])
def test_a_stranger_answers_in_place_reads_the_reveal_and_presses_play(
    site_on: Callable[[str], LiveSite],
    open_browser: OpenBrowser,
    day: str,
    own: str,
    language: str,
    size: tuple[int, int],
) -> None:
    site = site_on(day)
    robot = at_home(site, open_browser, language, size)
    page, stage = robot.page, robot.page.locator("#stage")
    doubts, other = stage.locator(".answers button").all()
    enter = page.locator(".head .enter")
    expect(enter).to_have_text(robot.word("Sign in"))
    at_once(page, stage.locator(".told"), stage.locator(own), doubts, other, enter)
    expect(page.locator("h1")).to_be_in_viewport()
    assert page.evaluate(REDS) == 1
    assert "lit" not in (stage.locator(".rim").inner_html() or "")
    page.evaluate("window.same = true")
    robot.tap_at(doubts)
    expect(stage).to_have_class(re.compile("is-open"))
    assert page.evaluate("window.same") and page.url.rstrip("/") == site.url  # no other page
    told, said, why = (stage.locator(each) for each in (".told", ".others-said", ".passing-on a"))
    at_once(page, stage.locator(own), told, said, why)
    expect(stage.locator(".rim .hand").first).to_be_visible()
    expect(said).to_have_text(robot.word("You're the first to answer."))
    expect(stage.locator(".then")).to_contain_text(re.compile(r"\d"))
    play = page.locator(".play-people .way")
    expect(play).to_have_class(re.compile("primary"))
    assert page.evaluate(REDS) == 1 and wider_than_screen(page) == []
    robot.tap_at(play)  # with the token of the session that the answer began
    robot.arrives("/games/|/play$")
    expect(page.locator("#search")).to_have_attribute("data-state", "waiting")
    page.goto(site.url)
    expect(page.locator("#stage")).to_have_class(re.compile("is-open"))


def test_below_ten_answers_there_are_no_shares(
    site_on: Callable[[str], LiveSite], open_browser: OpenBrowser
) -> None:
    site = site_on("weekday")
    for number in range(3):
        robot = at_home(site, open_browser, "en", (360, 740))
        robot.tap_at(robot.page.locator("#stage .answers button").nth(number % 2))
        said = robot.page.locator("#stage .others-said")
        expect(said).to_be_visible()
        assert "%" not in said.inner_text()
    expect(said).to_have_text(re.compile(r"Others:\s+Dudo! 1\s+Bid more 1"))


def test_it_is_answered_by_keyboard_and_nothing_shifts(
    site_on: Callable[[str], LiveSite], open_browser: OpenBrowser
) -> None:
    site = site_on("weekday")
    robot = at_home(site, open_browser, "en", (1280, 720))
    page = robot.page
    page.locator("#stage .answers button").last.focus()
    ways = page.locator(".ways").bounding_box()
    page.keyboard.press("Enter")
    expect(page.locator("#stage .told")).to_be_focused()
    expect(page.locator("#stage .told")).to_contain_text(re.compile("right|caught"))
    assert page.locator(".ways").bounding_box() == ways
    assert_accessible(page, widths=(320, 740, 1280))


def test_without_a_script_the_answer_is_on_its_page(
    site_on: Callable[[str], LiveSite], open_browser: OpenBrowser
) -> None:
    site = site_on("weekday")
    at_home(site, open_browser, "en", (360, 740))
    plain = open_browser(site, java_script_enabled=False, locale="en")
    plain.page.goto(site.url)
    plain.page.locator("#stage .answers button").first.click()
    expect(plain.page).to_have_url(re.compile(r"/daily/\d{4}-\d\d-\d\d$"))
    expect(plain.page.locator(".reply")).to_contain_text("Your choice: dudo")
