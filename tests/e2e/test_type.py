"""The display face arrives late and nothing moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.e2e.player import Player, eventually
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) shifts += each.value; })
  .observe({ type: "layout-shift", buffered: true });
"""
ARRIVED = (
    "[...document.fonts].some(({ family, status }) => family === 'Carved' && status === 'loaded')"
)
HEIGHT = "document.documentElement.scrollHeight"
MOST_SHIFT = 0.01  # Google calls 0.1 good


def hold_faces(page: Page) -> list[Route]:
    """Keeps every font on its way; the requests that wait."""
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    return held


def test_nothing_moves_when_the_display_face_arrives(
    quick_site: LiveSite, newcomer: Callable[..., Player]
) -> None:
    for path in ("/", "/rules/perudo", "/learn/perudo/1"):
        player = newcomer(quick_site, locale="fr-FR", viewport={"width": 360, "height": 740})
        page = player.page
        page.add_init_script(SHIFTS)

        held = hold_faces(page)
        page.goto(quick_site.url + path, wait_until="domcontentloaded")
        page.wait_for_timeout(300)
        assert not page.evaluate(ARRIVED)
        before = page.evaluate(HEIGHT)
        for route in held:
            route.continue_()
        page.unroute("**/*.woff2")
        eventually(lambda page=page: page.evaluate(ARRIVED), player)
        page.wait_for_timeout(200)
        assert page.evaluate(HEIGHT) == before, path
        assert page.evaluate("shifts") < MOST_SHIFT, path
