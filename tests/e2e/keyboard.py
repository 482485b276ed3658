"""Going through a page by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect


def is_focused(target: Locator) -> bool:
    return bool(target.evaluate("element => element === document.activeElement"))


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target).to_be_visible()
    for _ in range(80):
        if is_focused(target):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {target}")


def press(page: Page, target: Locator) -> None:
    """Go to the target by Tab and press Enter."""
    tab_to(page, target)
    page.keyboard.press("Enter")


def press_until(page: Page, key: str, done: Callable[[], bool]) -> None:
    """Press a key of the table until it takes effect: before its script is loaded it has none."""
    for _ in range(200):
        page.keyboard.press(key)
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{key!r} has no effect")
