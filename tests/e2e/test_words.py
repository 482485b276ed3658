"""No word on the stage is hard to read, whatever it lies on: measured on what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.e2e.boxes import Screens
from tests.e2e.player import Player
from tests.e2e.test_boxes import MOTIONLESS
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

WORDS = (Path(__file__).parent / "words.js").read_text().rstrip().removesuffix(";")
LEAST = 4.5  # WCAG 2.2, 1.4.3
STATES = {
    "perudo": (
        "turn",
        "turn_with_odds",
        "waiting_with_calza",
        "palifico",
        "last_die",
        "reveal",
        "out",
        "over",
        "over_by_a_bot",
    ),
    "peco_peco": ("turn", "window", "honest", "won", "ended_by_a_bluff", "over"),
}


def luminance(pixels: np.ndarray) -> np.ndarray:
    """Relative luminance (WCAG 2.2) of colours from 0 to 255, in the last axis."""
    part = pixels[..., :3] / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    light: np.ndarray = linear @ np.array([0.2126, 0.7152, 0.0722])
    return light


def hard_to_read(page: Page, folder: Path) -> dict[str, float]:
    """The words with too little contrast to nine in ten of the pixels they lie on."""
    words = page.evaluate(f"{WORDS}.words()")
    page.evaluate(f"{WORDS}.hide()")
    file = folder / "ground.png"
    page.screenshot(path=file)
    page.evaluate(f"{WORDS}.show()")
    ground = np.asarray(Image.open(file).convert("RGB")).astype(float)
    assert len(words) > 10
    found: dict[str, float] = {}
    for word in words:
        left, top = round(word["x"]), round(word["y"])
        under = ground[top : top + round(word["height"]), left : left + round(word["width"])]
        if not under.size:
            continue
        drawn = np.array(word["colour"]) * word["alpha"] + under * (1 - word["alpha"])
        one, other = luminance(drawn), luminance(under)
        ratios = (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)
        if (worst := float(np.quantile(ratios, 0.1))) < LEAST:
            found[f"{word['said']} (.{word['of']})"] = round(worst, 2)
    return found


@pytest.fixture
def page(game_screens: Screens) -> Iterator[Page]:
    page = game_screens.context.new_page()
    page.set_extra_http_headers({"Accept-Language": "fr"})
    yield page
    page.close()


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (1280, 720)])
def test_every_word_of_a_table_can_be_read(
    game_screens: Screens,
    page: Page,
    size: tuple[int, int],
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    """With the most people on a phone, with the fewest on a desktop; in the longest language."""
    few = size[0] > size[1]
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found: dict[str, dict[str, float]] = {}
    for state in STATES[request.node.callspec.params["game_screens"]]:
        tables = game_screens.tables[state]
        game_screens.lead(page, state, min(tables) if few else max(tables))
        if told := hard_to_read(page, tmp_path):
            found[state] = told
    assert found == {}


@pytest.mark.parametrize("game_screens", ["perudo"], indirect=True)
def test_the_last_count_of_a_game_can_be_read(
    game_screens: Screens, browser: Browser, tmp_path: Path
) -> None:
    """The winner's light is not on before it is over."""
    path, key = game_screens.tables["last_doubt_no"][2]
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="fr")
    context.add_cookies([{"name": "sessionid", "value": key, "url": game_screens.site.url}])
    page = context.new_page()
    page.goto(f"{game_screens.site.url}{path}")
    page.locator("#own button[value=dudo]:enabled").click()
    page.locator(".reveal.is-fresh").wait_for()
    page.evaluate(MOTIONLESS, 2_300)
    box = page.locator(".count > b").bounding_box()
    assert box is not None
    page.evaluate(f"{WORDS}.hide()")
    file = tmp_path / "ground.png"
    page.screenshot(path=file, clip=box)
    ground = luminance(np.asarray(Image.open(file).convert("RGB")).astype(float))
    assert (1 + 0.05) / (float(np.quantile(ground, 0.9)) + 0.05) >= LEAST
    context.close()


def test_a_word_on_the_wrong_ground_is_found(
    game_screens: Screens, page: Page, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    game_screens.lead(page, "turn", 6)
    before = hard_to_read(page, tmp_path)
    darken = "(all) => all.forEach((e) => e.style.setProperty('color', '#5a4a3a'))"
    page.locator("#own *").evaluate_all(darken)
    assert hard_to_read(page, tmp_path).keys() > before.keys()


@pytest.mark.parametrize("day", ["weekday", "sunday"])
def test_every_word_of_the_home_page_can_be_read(
    site_on: Callable[[str], LiveSite],
    open_browser: Callable[..., Player],
    day: str,
    tmp_path: Path,
) -> None:
    """Before the question of the day is answered, and after."""
    site = site_on(day)
    page = open_browser(site, locale="fr").page
    for size in ((360, 740), (1280, 720)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(site.url)
        assert hard_to_read(page, tmp_path) == {}, size
    page.locator("#stage .answers button").first.click()
    page.locator("#stage.is-open").wait_for()
    assert hard_to_read(page, tmp_path) == {}
