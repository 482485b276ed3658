"""Where the browser tests play: one quick deployment for all, and people who notice what breaks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import webkit
from tests.e2e.boxes import Screens, Tables, arranged_once, tables_of
from tests.e2e.firefox import Firefox, launched, program
from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.player import PATIENCE, Player
from tests.e2e.webkit_player import WebKitPlayer
from tests.support.browser_fixtures import CHROMIUM_FLAGS, HEADLESS, chromium
from tests.support.fixtures import unavailable
from tests.support.live_site import LiveSite

expect.set_options(timeout=1000 * PATIENCE)

# Bots are hasty, and nobody is hurried: no clock acts for a person while a test looks.
QUICK = {
    "DJANGO_SETTINGS_MODULE": "tests.e2e.unhurried_settings",
    "BOT_SECONDS": "0.1",
    "CALZA_DELAY_MS": "300",
    "CLAIM_WINDOW_MS": "150",
    "REVEAL_SECONDS": "600",
    "TURN_SECONDS": "600",
}


@contextmanager
def served(prepared: Path, folder: Path, **environment: str) -> Iterator[LiveSite]:
    """A quick site with its data in this folder; it fails at its end if anything broke in it."""
    site = LiveSite.of(prepared, folder, **QUICK | environment)
    site.start()
    yield site
    site.discard()
    assert "Traceback" not in site.log, site.log


Arrange = Callable[[str], tuple[Path, Any]]
ARRANGING_MODULES = {"perudo": "tests.e2e.arranged", "peco_peco": "games.peco_peco.tests.arranged"}


@pytest.fixture(scope="session")
def arrange(prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Arrange:
    """Arranges what a module prepares, once in a run: the folder, for sites that are copies of it,
    and what the module says.
    """
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "arranged"
    return lambda module: arranged_once(prepared_folder, folder / module, module)


@contextmanager
def arranged_site(arrange: Arrange, folder: Path, module: str) -> Iterator[tuple[LiveSite, Tables]]:
    """A quick site with the tables that a module arranges, and where they are."""
    data, told = arrange(module)
    with served(data, folder / "site") as site:
        yield site, tables_of(told)


@pytest.fixture
def site_on(arrange: Arrange, tmp_path: Path) -> Iterator[Callable[[str], LiveSite]]:
    """A server of this test's own, with the question of a "weekday" or a "sunday"."""
    with ExitStack() as opened:

        def of(day: str) -> LiveSite:
            data, _ = arrange(f"tests.e2e.arranged_{day}")
            return opened.enter_context(served(data, tmp_path / day))

        yield of


FinishedGame = tuple[LiveSite, str, str]


@pytest.fixture(scope="session")
def finished_game(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., FinishedGame]]:
    """By game, a site for all who only read there, the path of its finished game of so many seats
    (by default the fullest), and the session key of the first player at that table.
    """
    with ExitStack() as opened:

        @cache
        def arranged_of(game: str) -> tuple[LiveSite, Tables]:
            folder = tmp_path_factory.mktemp("finished")
            return opened.enter_context(arranged_site(arrange, folder, ARRANGING_MODULES[game]))

        def of(game: str, seats: int = 0) -> FinishedGame:
            site, tables = arranged_of(game)
            path, key = tables["over"][seats or max(tables["over"])]
            return site, path, key

        yield of


@pytest.fixture(scope="session")
def unhurried_site(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """One server for all who only play there; never restart or kill this one."""
    with served(prepared_folder, tmp_path_factory.mktemp("e2e") / "site") as site:
        yield site


@pytest.fixture
def own_site(prepared_folder: Path, tmp_path: Path) -> Iterator[LiveSite]:
    """A server where only this test plays: who looks for people there meets nobody else's."""
    with served(prepared_folder, tmp_path / "site") as site:
        yield site


@pytest.fixture
def full_browser(browser: Browser) -> Iterator[Browser]:
    """A Chromium with everything, such as notifications; the one without windows has none."""
    found = chromium()
    if found is None or found.endswith(HEADLESS):
        unavailable("Only Chromium without windows is installed")
    with browser.browser_type.launch(executable_path=found, args=CHROMIUM_FLAGS) as full:
        yield full


@pytest.fixture
def open_browser(browser: Browser) -> Iterator[Callable[..., Player]]:
    """Opens browsers: `newcomer(site, "Ana")` has a separate one, still signed out.

    Keyword arguments are new_context's; nothing is animated but for who asks for it
    (`reduced_motion="no-preference"`), since drawing it costs most of a processor. The test fails
    at its end when anybody's page had trouble.
    """
    players: list[Player] = []

    def arrive(
        site: LiveSite, name: str = "", *, within: Browser = browser, **options: object
    ) -> Player:
        options = {"reduced_motion": "reduce"} | options
        players.append(Player(within.new_context(**options).new_page(), site.url, name))
        return players[-1]

    yield arrive
    troubled = {player.name or "somebody": [*player.errors] for player in players}
    for player in players:
        player.page.context.close()
    assert not any(troubled.values()), troubled


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for all tests of this worker; people have cookies of their own in it."""
    found = program()
    if found is None:
        unavailable("No Firefox is installed")
    with launched(found, tmp_path_factory.mktemp("firefox")) as running:
        yield running


@pytest.fixture
def open_firefox(firefox: Firefox) -> Iterator[Callable[..., FirefoxPlayer]]:
    """Opens pages in Firefox: `open_firefox(site, "Ana", size=(360, 740))`; things move there.

    The test fails at its end when anybody's page had trouble.
    """
    players: list[FirefoxPlayer] = []

    def new_player(site: LiveSite, name: str = "", **options: Any) -> FirefoxPlayer:
        players.append(FirefoxPlayer(firefox, site.url, name, **options))
        return players[-1]

    yield new_player
    troubled = {player.name or "somebody": player.close() for player in players}
    assert not any(troubled.values()), troubled


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """The name of a display that WebKit's windows open on; nobody sees them."""
    if missing := webkit.programs():
        unavailable(f"No WebKit to drive: {' and '.join(missing)} not installed")
    with webkit.screen() as display:
        yield display


@pytest.fixture
def open_webkit(x_display: str, tmp_path: Path) -> Iterator[Callable[..., WebKitPlayer]]:
    """Opens pages in WebKit: `open_webkit(site, "Ana", size=(390, 844), calm=True)`.

    Things move but for who is calm. Each person has a browser process of their own. The test fails
    at its end when anybody's page had trouble.
    """
    players: list[WebKitPlayer] = []
    with ExitStack() as browsers:

        def new_player(
            site: LiveSite, name: str = "", *, calm: bool = False, **options: Any
        ) -> WebKitPlayer:
            folder = tmp_path / f"webkit-{len(players)}"
            browser = browsers.enter_context(webkit.launched(folder, x_display, calm=calm))
            players.append(WebKitPlayer(browser, site.url, name, **options))
            return players[-1]

        yield new_player
        troubled = {player.name or "somebody": player.close() for player in players}
    assert not any(troubled.values()), troubled


@pytest.fixture(scope="module", params=ARRANGING_MODULES)
def game_screens(request: pytest.FixtureRequest, open_screens: Callable[..., Screens]) -> Screens:
    """The tables of one game after the other in every arranged state."""
    return open_screens(ARRANGING_MODULES[request.param])


@pytest.fixture(scope="module")
def open_screens(
    browser: Browser, arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Screens]]:
    """Arranges what a module prepares, once for all workers, and serves it.

    Keyword arguments are settings of the site.
    """
    with ExitStack() as opened:

        def screens_of(module: str, **settings: str) -> Screens:
            data, told = arrange(module)
            folder = tmp_path_factory.mktemp("every_state")
            site = LiveSite.of(data, folder / "site", **QUICK | settings)
            site.start()
            opened.callback(site.discard)
            screens = Screens(browser, site, tables_of(told))
            opened.callback(screens.close)
            return screens

        yield screens_of
