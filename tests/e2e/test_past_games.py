"""A person's games, privacy and imprint on every screen, without a script and by keyboard."""

from __future__ import annotations

import json
import re
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

HOST = {"IMPRINT": "Ana Pérez | Gran Vía 1 | 28013 Madrid", "CONTACT_EMAIL": "ask@perudo.example"}
INSTAGRAM = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/22B91 Instagram 356.0"
PAGES = {
    "/players/Anna": "Anna",
    "/players/Anna?player=nobody&outcome=won": "Anna",
    "/players/newcomer": "newcomer",
    "/players/Toucan-4821": "Toucan-4821",
    "/privacy": "",
    "/imprint": "",
}
# What is too small for a thumb, or partly outside of what it belongs to.
SMALL = """(most) => [...document.querySelectorAll(
  "main :is(a.button, button, select, input:not([type=hidden]), summary, .played-game), .foot a"
)].filter((e) => e.checkVisibility()).flatMap((e) => {
  const { height } = e.getBoundingClientRect();
  const least = e.matches(".played-game") ? 56 : 44;
  const cut = e.scrollWidth > e.clientWidth + 1 && e.matches(".played-game, .button, summary");
  return height >= least - .1 && !cut ? [] : [`${e.outerHTML.slice(0, 80)} ${height} ${cut}`];
})"""
OVERLAPPING = """() => [...document.querySelectorAll(".played-game")].flatMap((row) => {
  const boxes = [...row.children].map((e) => [e.className, e.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).flatMap(([other, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1 ? [`${one} over ${other}`] : []));
})"""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def site(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    site = LiveSite.of(prepared_folder, tmp_path_factory.mktemp("past") / "site", **QUICK, **HOST)
    keys = json.loads(arranged(site, "tests.e2e.past_games"))
    site.start()
    yield site, keys
    site.discard()


@pytest.fixture
def opened(site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]) -> Open:
    """Opens a page as somebody, "" for nobody."""

    def opening(path: str, name: str = "", *, language: str = "en", **options: object) -> Page:
        where, keys = site
        page = visitor(extra_http_headers={"Accept-Language": language}, **options)
        if name:
            cookie = {"name": "sessionid", "value": keys[name], "url": where.url}
            page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(f"{where.url}{path}")
        return page

    return opening


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("path", PAGES)
def test_the_pages_fit_every_screen(opened: Open, path: str, language: str) -> None:
    page = opened(path, PAGES[path], language=language, user_agent=INSTAGRAM)
    found = {}
    for size in (*SIZES, (1440, 900)):
        resize(page, size)
        assert page.evaluate("innerWidth") == size[0]
        found[size] = [
            *wider_than_screen(page),
            *page.evaluate(SMALL),
            *page.evaluate(OVERLAPPING),
        ]
    assert not any(found.values()), found
    resize(page, (360, 740))
    with larger_text(page, pixels=32, alone=False):
        assert wider_than_screen(page) == []
        assert page.evaluate(OVERLAPPING) == []


@pytest.mark.parametrize("path", PAGES)
def test_the_pages_have_no_barriers(opened: Open, path: str) -> None:
    page = opened(path, PAGES[path])
    assert_accessible(page, widths=(320, 1280))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_marks_lead_to_their_moment_and_those_to_earn_are_unfolded(
    opened: Open, language: str
) -> None:
    page = opened("/players/Anna", "Anna", language=language)
    drawn = page.locator(".earned > li:visible > svg")
    earned = drawn.count()
    assert earned >= 3
    page.locator(".to-earn > summary").click()
    expect(drawn).to_have_count(13)
    for each in drawn.all():
        box = each.locator("use").bounding_box()
        assert box is not None and box["width"] > 10, "the symbol is in the sprite"
    for size in ((320, 568), (1440, 900)):
        resize(page, size)
        assert wider_than_screen(page) == []
    assert_accessible(page, widths=(320, 1280))
    name = {"en": "Think big", "fr": "Voir grand"}[language]
    page.get_by_role("link", name=name).click()
    expect(page).to_have_url(re.compile(r"/games/\w+/replay/3$"))
    expect(page.locator(".earned-here", has_text=name)).to_be_visible()


def test_the_list_is_filtered_and_read_without_a_script(opened: Open) -> None:
    page = opened("/players/Anna", "Anna", java_script_enabled=False)
    rows = page.locator(".played-game")
    expect(rows).to_have_count(20)
    expect(rows.first.locator(".avatar")).to_have_count(5)
    page.get_by_role("link", name="Older").click()
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="Newer").click()
    page.locator("summary", has_text="Filter").click()
    page.get_by_label("Played with").fill("CHARLIE")
    page.get_by_label("Period").select_option("week")
    page.get_by_role("button", name="Show").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("charlie")
    expect(page.get_by_label("Played with")).to_have_value("CHARLIE")
    rows.click()
    expect(page).to_have_url(re.compile(r"/games/\w+/replay"))
    page.go_back()
    page.get_by_role("link", name="Show all games").click()
    expect(rows).to_have_count(20)


def test_a_wrong_filter_is_read_with_its_field(opened: Open) -> None:
    page = opened("/players/Anna?player=nobody", "Anna", language="fr")
    expect(page.get_by_label("Joué avec")).to_have_accessible_description(
        re.compile("Aucun joueur ne porte ce pseudo.")
    )


def test_a_game_is_opened_with_the_keyboard_alone(opened: Open) -> None:
    page = opened("/players/Anna", "Anna")
    page.locator("summary", has_text="Filter").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Played with")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".played-game").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/games/\w+/replay"))


def test_a_guest_in_a_chat_app_saves_the_account_and_is_back(opened: Open) -> None:
    page = opened("/privacy", "Toucan-1066", user_agent=INSTAGRAM, java_script_enabled=False)
    page.get_by_text("The browser in Instagram may forget you.").click()
    expect(page.get_by_text("“Open in browser”")).to_be_visible()
    page.get_by_role("link", name="Choose a name and a password").click()
    page.get_by_label("Name", exact=True).fill("Keeper")
    page.get_by_label("Password", exact=True).fill("seven toucans in a cup")
    page.get_by_role("button", name="Save my account").click()
    expect(page).to_have_url(re.compile("/privacy$"))
    expect(page.get_by_text("Account saved. Your games have been kept.")).to_be_visible()
    expect(page.locator(".hint")).to_have_count(0)
