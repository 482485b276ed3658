"""Fixtures of tests in Chromium: one browser, and pages whose troubles fail the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.support.fixtures import unavailable

CHROMIUM_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# Debian's build of Chromium without windows, which takes half as much processor time.
HEADLESS = "chromium-headless-shell"


def chromium() -> str | None:
    """Where this machine's Chromium or Chrome is."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, [*names, HEADLESS])), None)


def browser_scope(fixture_name: str, config: pytest.Config) -> str:
    """One browser for all where only browser tests run (`-m "e2e …"`), else one for each module.

    What runs an event loop of its own must not find Playwright's.
    """
    return "session" if config.option.markexpr.startswith("e2e") else "module"


@pytest.fixture(scope=browser_scope)
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    found = shutil.which(HEADLESS) or chromium()
    if found is None:
        unavailable("No Chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, each as a person of its own (new_context's options are passed on).

    The test fails at its end when a script broke or the content policy stopped something.
    An answer of 4xx or 5xx is for the test to judge, not a broken page.
    """
    troubles: list[str] = []
    people: list[BrowserContext] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            troubles.append(message.text)

    def arrive(**options: object) -> Page:
        people.append(browser.new_context(**options))
        page = people[-1].new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", hear)
        return page

    yield arrive
    troubled = [*troubles]
    for person in people:
        person.close()
    assert troubled == []
