"""A replay shows the whole table on every screen: all seats, the bid or the verdict, the steps.

Measured with few seats and with all, for who played, who is signed in and who is a stranger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import PHONE, SIZES, SMALLEST, Size, look, resize
from tests.e2e.conftest import FinishedGame
from tests.e2e.player import wider_than_screen

pytestmark = pytest.mark.e2e

Open = Callable[..., tuple[Page, str]]
TABLES = [("perudo", 2), ("perudo", 3), ("perudo", 6), ("peco_peco", 4), ("peco_peco", 8)]

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
def replay(browser: Browser, finished_game: Callable[..., FinishedGame]) -> Iterator[Open]:
    """Opens the replay of a finished game of so many seats (by default the fullest), in French, as
    one of its players, as a player of another game or as a stranger; the page and its address.
    """
    context = browser.new_context(locale="fr-FR", reduced_motion="reduce")

    def open_replay(game: str, seats: int = 0, viewer: str = "player") -> tuple[Page, str]:
        site, path, key = finished_game(game, seats)
        if viewer == "spectator":
            others = (seats for of, seats in TABLES if of == game)
            key = next(other for each in others if (other := finished_game(game, each)[2]) != key)
        context.clear_cookies()
        if viewer != "stranger":
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        return context.new_page(), f"{site.url}{path}/replay"

    yield open_replay
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_replay_shows_the_whole_table(replay: Open, game: str, seats: int) -> None:
    """To its players on every screen; to others, whose board is another, on some."""
    found: dict[str, list[str]] = {}
    sizes: dict[str, Sequence[Size]] = {"player": SIZES}
    sizes |= dict.fromkeys(("spectator", "stranger"), (*SMALLEST, PHONE, (1280, 720)))
    for viewer in sizes:
        page, address = replay(game, seats, viewer)
        page.goto(address)
        count = int(page.locator("#replay-at").get_attribute("max") or 0)
        for moment, needed in MOMENTS[game].items():
            page.goto(f"{address}/{moment if moment > 0 else count + 1 + moment}")
            for size in sizes[viewer]:
                resize(page, size)
                unseen = page.evaluate(UNSEEN, [*ALWAYS, *needed]) + look(page, ())
                if unseen:
                    found[f"{viewer}, moment {moment}, {size}"] = unseen
    assert found == {}


# Open hands that are not with a seat each, lie over a face, a name or each other, or out of sight.
HANDS = """() => {
  const hands = [...document.querySelectorAll(".seat > .open-hand")];
  const over = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const others = [...document.querySelectorAll(
    ".seat > .avatar, .seat-name, .open-hand, .seat-flag, .seat-change, .middle > * > *")];
  const seen = ({ left, top, right, bottom }) =>
    left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const of = (each) => `${each.className} of ${each.closest(".seat")?.dataset.seat}`;
  return hands.flatMap((hand) => [
    ...others.filter((each) => each !== hand && over(hand, each))
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .map((each) => `${of(hand)} and ${of(each)}`),
    ...[...hand.querySelectorAll("svg")].filter((each) => !seen(each.getBoundingClientRect()))
      .map((each) => `${each.getAttribute("aria-label")} of ${hand.closest(".seat").dataset.seat}`),
  ]);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("seats", [4, 8])
def test_each_open_hand_lies_at_its_seat_and_over_nothing(replay: Open, seats: int) -> None:
    page, address = replay("peco_peco", seats)
    found: dict[str, list[str]] = {}
    for moment in (2, 3, 5, 8):
        page.goto(f"{address}/{moment}")
        hands = page.locator(".seat > .open-hand")
        expect(hands).to_have_count(seats)
        expect(hands.first.get_by_role("img").first).to_be_visible()
        for size in SIZES:
            resize(page, size)
            if wrong := page.evaluate(HANDS):
                found[f"moment {moment}, {size}"] = wrong
    assert found == {}
    page.goto(f"{address}/3?seat=1")
    expect(page.locator(".seat > .open-hand")).to_have_count(1)
    expect(page.locator(".seat[data-seat='1'] > .open-hand")).to_be_visible()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_stands_below_the_table_of_a_replay_can_be_pressed(
    replay: Open, game: str, seats: int
) -> None:
    """The review and whose eyes one sees with, on a usual phone: by a real press, once scrolled."""
    page, address = replay(game, seats)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(address)
    page.locator(".whose summary").click()
    expect(page.locator(".whose a").first).to_be_visible()
    page.get_by_role("link", name="Analyse", exact=True).click()
    expect(page.locator("#review > *").first).to_be_in_viewport()


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
