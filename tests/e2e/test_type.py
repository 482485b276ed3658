"""A face, or a script, arrives late and nothing moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries()))
  .observe({ type: "layout-shift", buffered: true });
"""
# What moved since a time; a page that is shown while it is still coming moves before that.
SHIFTED = """(since) => shifts.filter(({ startTime }) => startTime >= since)
  .reduce((sum, { value }) => sum + value, 0)"""
ARRIVED = """["Carved", "Alegreya Sans"].every((name) => [...document.fonts].some(
  ({ family, status }) => family.replaceAll('"', "") === name && status === "loaded"))"""
HEIGHT = "document.documentElement.scrollHeight"
MOST_SHIFT = 0.01  # Google calls 0.1 good


def hold(page: Page, files: str) -> list[Route]:
    """Keeps these files on their way; the requests that wait."""
    held: list[Route] = []
    page.route(files, lambda route: held.append(route))
    return held


def test_nothing_moves_when_the_faces_arrive(
    own_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    for path in ("/", "/rules/perudo", "/learn/perudo/1"):
        player = open_browser(own_site, locale="fr-FR", viewport={"width": 360, "height": 740})
        page = player.page
        page.add_init_script(SHIFTS)
        page.route_web_socket("**/ws/**", lambda socket: None)  # no news of other tables

        held = hold(page, "**/*.woff2")
        page.goto(own_site.url + path, wait_until="domcontentloaded")
        page.wait_for_timeout(300)
        assert not page.evaluate(ARRIVED)
        before, since = page.evaluate(HEIGHT), page.evaluate("performance.now()")
        for route in held:
            route.continue_()
        page.unroute("**/*.woff2")
        wait_for(lambda page=page: page.evaluate(ARRIVED), player)
        page.wait_for_timeout(200)
        assert page.evaluate(HEIGHT) == before, path
        assert page.evaluate(SHIFTED, since) < MOST_SHIFT, path


def test_nothing_moves_when_the_script_of_the_bid_arrives(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, locale="fr-FR", viewport={"width": 360, "height": 740})
    page = player.page
    page.add_init_script(SHIFTS)
    held = hold(page, "**/perudo/table.*.js")
    page.goto(unhurried_site.url + "/learn/perudo/1", wait_until="commit")
    page.wait_for_function(
        "() => document.readyState !== 'loading'"
    )  # all of it has come but scripts
    wait_for(lambda: page.evaluate(ARRIVED), player)  # the faces too
    page.wait_for_timeout(300)
    [script] = held
    steps = page.locator(".step")
    expect(steps).to_have_count(2)
    expect(page.locator(".say")).to_be_visible()
    expect(steps.first).to_be_hidden()  # it would do nothing
    since = page.evaluate("performance.now()")
    script.continue_()
    expect(steps.first).to_be_visible()
    page.wait_for_timeout(200)
    assert page.evaluate(SHIFTED, since) == 0
