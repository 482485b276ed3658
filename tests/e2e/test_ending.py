"""The end of a game as it comes over the socket: when what shows, and where its links lead.

Nothing here waits for an animation: its times are read from what the browser was told to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.peco_peco import pace
from tests.e2e.boxes import SIZES, Screens, faults, look, resize
from tests.e2e.conftest import Arrange, arranged_site

pytestmark = pytest.mark.e2e

LONGEST_MS: Final = 2_500  # from the end of the last reveal to that of the whole ending
SCENE_MS: Final = 2_000  # of the winner in the light, and of the confetti
STRIPS: Final = 40
# By game: the module that arranges its tables, that before the end, the button that brings it, and
# how long the page shows the last reveal, in ms; None is what the page says.
GAMES: Final = {
    "perudo": ("tests.e2e.before_reveals", "last_doubt_no", "dudo", None),
    "peco_peco": ("games.peco_peco.tests.before_moments", "before_set", "declare", pace._WON_MS),
}
# When each part of the ending begins to show and stops moving, in ms from the swap that brought it.
NOTE = """(selectors) => {
  const arrived = { at: 0 };
  const spans = (element) => element.getAnimations()
    .filter(({ animationName }) => animationName)
    .map(({ effect, startTime }) => {
      const { delay, endTime } = effect.getComputedTiming();
      const from = (startTime ?? document.timeline.currentTime) - arrived.at;
      return [from + delay, from + endTime];
    });
  document.addEventListener("site:swapped", () => {
    if (!document.querySelector(".ending") || arrived.at) return;
    arrived.at = document.timeline.currentTime;
    const note = () => {
      if (!document.querySelector(".ended, .frames").getAnimations().length) return;
      window.noted = Object.fromEntries(selectors.map((selector) =>
        [selector, [...document.querySelectorAll(selector)].flatMap(spans)]));
      window.lasts = Number(document.querySelector("[data-lasts]")?.dataset.lasts);
      document.documentElement.dataset.noted = "yes";
    };
    requestAnimationFrame(note);
  });
}"""
# Where everything in the middle of the board has its own middle.
CENTRES: Final = """() => [...document.querySelectorAll(".middle > *")].map((element) => {
  const { left, right } = element.getBoundingClientRect();
  return Math.round((left + right) / 2);
})"""
SHOWN: Final = (".victory", ".ending", ".winners", ".ended", ".frames", ".after")
PRESSED: Final = "#own button"
TAKEN_AWAY: Final = ".seat.is-just-out > .cup"
STRIP: Final = ".confetti i"

Visit = Callable[[str], Page]


@pytest.fixture
def visit(
    browser: Browser, arrange: Arrange, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Visit]:
    """Opens a table of a game just before its end, as the player whose press brings it."""
    contexts: list[BrowserContext] = []
    module, state, _, _ = GAMES[request.node.callspec.params["game"]]
    with arranged_site(arrange, tmp_path, module) as (site, tables):

        def visit(motion: Any) -> Page:
            path, key = tables[state][min(tables[state])]
            context = browser.new_context(
                viewport={"width": 360, "height": 640}, reduced_motion=motion
            )
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
            contexts.append(context)
            page = context.new_page()
            page.goto(f"{site.url}{path}")
            return page

        yield visit
        for context in contexts:
            context.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_whole_ending_is_there_soon_after_the_last_reveal(visit: Visit, game: str) -> None:
    _, _, does, lasts = GAMES[game]
    page = visit("no-preference")
    page.evaluate(NOTE, [*SHOWN, PRESSED, STRIP, TAKEN_AWAY])
    page.locator(f"#own button[value={does}]:enabled").click()
    page.locator("html[data-noted]").wait_for(state="attached")
    noted = page.evaluate("noted")
    assert len(set(page.evaluate(CENTRES))) == 1, "it lies over what stood there, and moves nothing"
    told = lasts or page.evaluate("lasts")
    for part in SHOWN:
        assert noted[part], f"{part} comes with the reveal, not at once"
        assert min(begins for begins, _ in noted[part]) >= told - 1_000, part
        assert max(ends for _, ends in noted[part]) <= told + LONGEST_MS, part
    assert noted[PRESSED]
    assert max(ends for _, ends in noted[PRESSED]) <= told + LONGEST_MS
    is_won = page.locator("#own .ended.is-won").count() == 1
    assert is_won == (game == "perudo")
    # The cup of whoever is out is lifted, and turned over and taken away once all know.
    lifts = [begins for begins, _ in noted[TAKEN_AWAY]]
    assert len(lifts) == (2 if game == "perudo" else 0)
    assert not lifts or told - 1_000 <= max(lifts) <= told
    strips = noted[STRIP]
    assert len(strips) == STRIPS, "all see it, the winner and the others"
    for scene in (strips, noted[".victory"]):
        begins, ends = min(one for one, _ in scene), max(one for _, one in scene)
        assert round(ends - begins) == SCENE_MS
        assert ends <= told + LONGEST_MS
    page.reload()
    page.locator(".ending").wait_for()
    expect(page.locator(":is(.victory, .confetti):visible")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_with_less_motion_the_ending_is_there_at_once(visit: Visit, game: str) -> None:
    page = visit("reduce")
    page.locator(f"#own button[value={GAMES[game][2]}]:enabled").click()
    page.locator(".frames").wait_for()
    expect(page.locator(":is(.victory, .confetti):visible")).to_have_count(0)
    assert look(page, (".winners .avatar", ".winner", ".ended", ".frames", ".after > *")) == []


def test_who_watched_sees_the_ending_without_a_place(
    game_screens: Screens, browser: Browser
) -> None:
    """On every screen; a frame leads to its moment in the replay."""
    seats = min(game_screens.tables["over"])
    path, _ = game_screens.tables["over"][seats]
    context = browser.new_context(reduced_motion="reduce", locale="fr-FR")
    page = context.new_page()
    page.goto(f"{game_screens.site.url}{path}")
    expect(page.locator(".ended")).to_have_count(0)
    needed = (".winners .avatar", ".winner", ".frames", ".after > *")
    assert dict(faults(page, needed, SIZES)) == {}
    resize(page, (360, 640), scale=1)
    page.reload()  # with the chat folded
    link = page.locator(".frames a.is-key")
    words, address = link.text_content(), link.get_attribute("href")
    assert words and address
    link.click()
    expect(page).to_have_url(f"{game_screens.site.url}{address}")
    name = page.locator(".narration").inner_text().split(" ")[0]
    assert name[:10] in words, "it is about the same player, whose name is shortened"
    context.close()
