"""A replay shows the whole table on every screen: all seats, the bid or the verdict, the steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import SIZES, resize
from tests.e2e.conftest import FinishedGame
from tests.e2e.player import wider_than_screen

pytestmark = pytest.mark.e2e

Open = Callable[[str], tuple[Page, str]]

# What is needed and is not wholly on the screen as it is, or lies under something else.
UNSEEN = """(needed) => needed.flatMap((selector) => {
  const found = [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const unseen = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1) return true;
    const over = document.elementFromPoint((left + right) / 2, bottom - 3);
    return !over || Boolean(over.closest(".steps") && !element.closest(".steps"));
  };
  const at = ({ top, bottom }) => `${Math.round(top)} to ${Math.round(bottom)}`;
  return found.length ? found.filter(unseen).map((element) =>
    `${selector} at ${at(element.getBoundingClientRect())}`) : [`no ${selector}`];
})"""
ALWAYS = (".seat-name", ".step-buttons > *", ".track input", ".where", ".narration")
# What some moments of each game must show; those below zero are counted from the end.
MOMENTS: dict[str, dict[int, tuple[str, ...]]] = {
    "perudo": {
        2: (".seat .die", ".bid", ".said-by"),
        3: (".seat .die", ".count", ".of"),
        -2: (".count", ".of"),
        -1: (".seat", ".winner"),
    },
    "peco_peco": {
        3: (".discard .animal-card", ".stake-card", ".speaks"),
        -2: (".verdict .right",),
        -1: (".seat-points", ".winner"),
    },
}


@pytest.fixture
def replay(
    browser: Browser, finished_game: Callable[[str], FinishedGame]
) -> Iterator[Callable[[str], tuple[Page, str]]]:
    """Opens the replay of the fullest finished game, in French; the page and its address."""
    context = browser.new_context(locale="fr-FR", reduced_motion="reduce")

    def open_replay(game: str) -> tuple[Page, str]:
        site, path, key = finished_game(game)
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        return context.new_page(), f"{site.url}{path}/replay"

    yield open_replay
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", MOMENTS)
def test_a_replay_shows_the_whole_table(replay: Open, game: str) -> None:
    page, address = replay(game)
    page.goto(address)
    count = int(page.locator("#replay-at").get_attribute("max") or 0)
    found: dict[str, list[str]] = {}
    for moment, needed in MOMENTS[game].items():
        page.goto(f"{address}/{moment if moment > 0 else count + 1 + moment}")
        for size in SIZES:
            resize(page, size)
            unseen = page.evaluate(UNSEEN, [*ALWAYS, *needed]) + wider_than_screen(page)
            if unseen:
                found[f"moment {moment}, {size}"] = unseen
    assert found == {}


# Links of the lists that are too small to be hit with a thumb.
SMALL = """() => [...document.querySelectorAll(
    ".move-list a, .round-list a, .move-odds a, .whose a, .whose summary")]
  .filter((e) => e.checkVisibility()).map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
  .map(([text, box]) => `${text}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


@pytest.mark.slow
@pytest.mark.parametrize("game", MOMENTS)
def test_the_lists_and_the_choice_of_a_seat_fit_every_screen(replay: Open, game: str) -> None:
    page, address = replay(game)
    page.goto(f"{address}/3")
    page.locator(".whose summary").click()
    found: dict[str, list[str]] = {}
    for size in SIZES:
        resize(page, size)
        wrong = page.evaluate(SMALL) + wider_than_screen(page)
        if wrong:
            found[str(size)] = wrong
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("game", MOMENTS)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_one_guesses_with_one_seats_eyes_and_then_opens(
    replay: Open, game: str, scripts: bool
) -> None:
    first, address = replay(game)
    assert first.context.browser is not None
    context = first.context.browser.new_context(locale="fr-FR", java_script_enabled=scripts)
    page = context.new_page()
    page.goto(f"{address}/3")
    page.locator(".whose summary").click()
    page.locator(".whose li[data-seat='0'] a").first.click()
    expect(page).to_have_url(f"{address}/3?seat=0")
    page.locator(".move-odds a").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}/3?seat=0&open=1")
    page.locator("a[rel=next]").first.click()
    expect(page).to_have_url(f"{address}/4?seat=0")
    page.locator(".whose summary").click()
    page.locator(".whose li[data-seat='1'] a").last.click()
    expect(page).to_have_url(f"{address}/4?seat=0&only=1")
    expect(page.locator("#moves-title")).to_contain_text("Décisions")
    context.close()
