"""The question of the day in a browser: on a phone, by keyboard, without a script; its reveal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.conftest import served
from tests.e2e.keyboard import press, tab_to
from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def weekday_site(
    arrange: Callable[[str], tuple[Path, object]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """Whatever day it is, the question is about dice."""
    data, _ = arrange("tests.e2e.arranged_weekday")
    with served(data, tmp_path_factory.mktemp("weekday") / "site") as site:
        yield site


def at_the_question(site: LiveSite, open_browser: OpenBrowser, **options: object) -> Player:
    """A visitor at the question of today."""
    visitor = open_browser(site, **options)
    visitor.go("/daily")
    expect(visitor.page.locator("#question-title")).to_be_visible()
    return visitor


def dudo(page: Page) -> Locator:
    return page.locator("#own button[value=dudo]")


@pytest.mark.parametrize("script", [True, False])
def test_a_visitor_answers_on_a_phone_and_keeps_the_answer(
    weekday_site: LiveSite, open_browser: OpenBrowser, script: bool
) -> None:
    page = at_the_question(
        weekday_site, open_browser, viewport=PHONE, java_script_enabled=script, locale="en"
    ).page
    here = page.url
    dudo(page).click()
    expect(page).to_have_url(here)
    expect(page.locator(".reply")).to_contain_text("Your choice: dudo")
    expect(page.locator(".bars .is-mine .choice")).to_contain_text("dudo")
    expect(page.get_by_role("heading", name="1-day streak")).to_be_visible()
    expect(page.locator("#own .my-dice .die").first).to_be_visible()
    page.goto(f"{weekday_site.url}/daily/archive")
    expect(page.locator(".days li").first).to_contain_text("answered")
    page.locator(".days a").first.click()
    expect(page.locator(".reply")).to_contain_text("Your choice: dudo")
    expect(page.locator("#move-form")).to_have_count(0)
    page.get_by_role("link", name="Choose a password and keep your answers").click()
    expect(page.get_by_label("Name", exact=True)).to_be_visible()


def test_the_cups_go_up_before_the_words_tell(
    weekday_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """For who wants to see things move; a page that is loaded again stands still."""
    page = at_the_question(
        weekday_site, open_browser, locale="en", reduced_motion="no-preference", viewport=PHONE
    ).page
    dudo(page).click()
    told = page.locator(".reply p").nth(1)
    page.locator("html[data-suspense]").wait_for(state="attached")
    expect(page.locator(".reply p").first).to_be_visible()
    expect(told).to_be_hidden()
    expect(page.locator(".reply .chance").first).to_be_hidden()
    expect(page.locator(".about.daily")).to_be_hidden()  # whose text to share says how good it was
    expect(page.locator("[data-count]")).not_to_have_text("0", timeout=15_000)
    expect(told).to_be_visible(timeout=15_000)
    counted = page.locator("[data-count]").inner_text()
    page.reload()
    expect(told).to_be_visible()
    assert not page.evaluate("'suspense' in document.documentElement.dataset")
    assert page.locator("[data-count]").inner_text() == counted


def test_by_keyboard_from_the_home_page_to_what_is_shared(
    weekday_site: LiveSite, open_browser: OpenBrowser
) -> None:
    page = at_the_question(
        weekday_site, open_browser, locale="en", permissions=["clipboard-read", "clipboard-write"]
    ).page
    page.goto(weekday_site.url)
    press(page, page.get_by_role("link", name="Questions of the day"))
    press(page, page.locator(".days a").first)
    expect(page.locator("#question-title")).to_be_focused()
    tab_to(page, page.locator('input[name="face"]:checked'))
    page.keyboard.press("Enter")
    reply = page.locator(".reply")
    expect(reply).to_be_focused()
    choice = re.sub(r"^Your choice: | \(.*$", "", reply.locator("b").first.inner_text())
    press(page, page.locator("textarea ~ .copy"))
    expect(page.locator(".share-says")).to_have_text("Copied. Send it to your friends.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("textarea").input_value()
    assert re.search(rf"{re.escape(weekday_site.url)}/daily/\d{{4}}-\d\d-\d\d$", copied)
    assert choice not in copied
    press(page, page.get_by_role("link", name="Other days"))
    expect(page.locator("h1")).to_have_text("Questions of the day")


def test_a_choice_that_is_not_possible_is_refused_where_one_looks(
    weekday_site: LiveSite, open_browser: OpenBrowser
) -> None:
    visitor = at_the_question(weekday_site, open_browser, locale="es", viewport=PHONE)
    page = visitor.page
    page.evaluate("document.querySelector('#own button[value=dudo]').value = 'nonsense'")
    with visitor.expecting_errors():
        page.locator("#own button[value=nonsense]").click()
        expect(page.locator(".reply.is-refused")).to_be_focused()
    expect(dudo(page)).to_be_in_viewport()


def test_the_time_of_the_next_question_is_said_in_the_readers_zone(
    weekday_site: LiveSite, open_browser: OpenBrowser
) -> None:
    page = at_the_question(
        weekday_site, open_browser, locale="en-GB", timezone_id="Asia/Kolkata"
    ).page
    dudo(page).click()
    expect(page.locator(".daily time")).to_contain_text("09:30")  # 4:00 in UTC


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_stands_in_anybodys_way(
    weekday_site: LiveSite, open_browser: OpenBrowser, language: str
) -> None:
    """Before and after a choice, the archive, and a day without a question."""
    visitor = at_the_question(weekday_site, open_browser, locale=language)
    page = visitor.page
    assert_accessible(page, widths=(320, 740, 1280))
    dudo(page).click()
    expect(page.locator(".bars")).to_be_visible()
    assert_accessible(page, widths=(320, 740, 1280))
    for path in ("/daily/archive", "/", "/daily/1999-01-01"):
        with visitor.expecting_errors():
            visitor.go(path)
            assert_accessible(page, widths=(320, 1280))


@pytest.mark.parametrize("viewport", [{"width": 320, "height": 568}, PHONE])
def test_on_a_phone_an_answer_is_judged_without_scrolling_sideways(
    weekday_site: LiveSite, open_browser: OpenBrowser, viewport: dict[str, int]
) -> None:
    page = at_the_question(weekday_site, open_browser, viewport=viewport, locale="fr").page
    expect(page.locator(".judgement")).to_have_count(0)
    dudo(page).click()
    judged = page.locator(".reply .judgement")
    expect(judged.locator(".judged b")).to_be_visible()
    expect(judged.locator("tr.is-played .tag").first).to_be_visible()
    assert judged.locator("tbody tr").count() == 6
    for each in (judged, judged.locator(".options")):
        box = each.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
