"""axe on a page: no barriers, at each width; in dark colours too, at the first."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

from tests.e2e.player import Player, wider_than_screen

# The rules of axe that look at colours; all others find the same in both themes.
_OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def assert_accessible(shown: Player | Page, *, widths: Sequence[int] = ()) -> None:
    """Asks axe about the page as it stands, or at these widths, where nothing may stick out."""
    page = shown.page if isinstance(shown, Player) else shown
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for number, width in enumerate(widths or (0,)):
        if width:
            page.set_viewport_size({"width": width, "height": 740})
            assert wider_than_screen(page) == [], (page.url, width)
        themes = [("light", {}), ("dark", {"runOnly": _OF_COLOURS})]
        for theme, rules in themes[: 1 if number else 2]:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            # Preloading serves two rules: one axe does not run by default, the other is about media
            # elements, which the site has none of.
            options = {"resultTypes": ["violations"], "preload": False, **rules}
            found = AxeResults(page.evaluate("(options) => axe.run(options)", options))
            assert found.violations_count == 0, (
                f"{page.url}, {width or 'as it is'}, {theme}: {found.generate_report()}"
            )
