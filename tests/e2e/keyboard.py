"""Going through a page by keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {target}")


def press(page: Page, target: Locator) -> None:
    """Go to the target by Tab and press Enter."""
    tab_to(page, target)
    page.keyboard.press("Enter")
