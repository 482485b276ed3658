"""A replay shows the whole table on every screen: all seats, the bid or the verdict, the steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.boxes import OTHER_SIZES, SMALLEST, arranged_once, resize
from tests.e2e.conftest import QUICK
from tests.e2e.player import sticks_out
from tests.live import LiveSite

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
ALWAYS = (".seat-name", ".steps .button", ".where", ".told")
# By game: the module that arranges its tables, and what each of some moments must show; those below
# zero are counted from the end.
MOMENTS: dict[str, tuple[str, dict[int, tuple[str, ...]]]] = {
    "perudo": (
        "tests.e2e.arranged",
        {
            2: (".seat .die", ".bid", ".bid-by"),
            3: (".seat .die", ".count", ".verdict .right"),
            -2: (".count", ".verdict .right"),
            -1: (".seat", ".verdict .right"),
        },
    ),
    "peco_peco": (
        "tests.games.peco_peco.arranged",
        {
            3: (".discard .animal-card", ".stake-card", ".speaks"),
            -2: (".verdict .right",),
            -1: (".seat-points", ".winner"),
        },
    ),
}


@pytest.fixture
def replay(
    browser: Browser, prepared_folder: Path, tmp_path: Path
) -> Iterator[Callable[[str], tuple[Page, str]]]:
    """Opens the replay of the fullest finished game, in French; the page and its address."""
    sites: list[LiveSite] = []
    context = browser.new_context(locale="fr-FR", reduced_motion="reduce")

    def open_replay(module: str) -> tuple[Page, str]:
        data, tables = arranged_once(prepared_folder, tmp_path / "arranged", module)
        site = LiveSite.of(data, tmp_path / "site", **QUICK)
        sites.append(site)
        site.start()
        path, key = tables["over"][max(tables["over"])]
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        return context.new_page(), f"{site.url}{path}/replay"

    yield open_replay
    context.close()
    for site in sites:
        site.kill()


@pytest.mark.slow
@pytest.mark.parametrize("game", MOMENTS)
def test_a_replay_shows_the_whole_table(replay: Open, game: str) -> None:
    module, moments = MOMENTS[game]
    page, address = replay(module)
    page.goto(address)
    count = int(page.locator(".where").inner_text().split()[-1])
    found: dict[str, list[str]] = {}
    for moment, needed in moments.items():
        page.goto(f"{address}/{moment if moment > 0 else count + 1 + moment}")
        for size in (*SMALLEST, *OTHER_SIZES):
            resize(page, size)
            unseen = page.evaluate(UNSEEN, [*ALWAYS, *needed]) + sticks_out(page)
            if unseen:
                found[f"moment {moment}, {size}"] = unseen
    assert found == {}
