"""The account pages in a real browser: by keyboard, without a script, in both themes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

Visitor = Callable[..., Page]


def press(page: Page, *keys: str) -> None:
    """Types what is no key's name, presses the rest."""
    for key in keys:
        if key in {"Tab", "Enter", "Space"}:
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def test_signing_up_needs_nothing_but_a_keyboard(shared_site: LiveSite, visitor: Visitor) -> None:
    page = visitor()
    page.goto(f"{shared_site.url}/account/signup/?next=/account/")
    page.get_by_label("Name", exact=True).focus()
    press(page, "Keyla", "Tab", "Tab", PASSWORD, "Enter")
    expect(page).to_have_url(re.compile("/account/$"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("Keyla")


def test_a_button_shows_the_password_and_a_new_account_is_welcomed(
    shared_site: LiveSite, visitor: Visitor
) -> None:
    page = visitor()
    page.goto(f"{shared_site.url}/account/signup/")
    page.get_by_label("Name", exact=True).fill("Welcomed")
    password = page.get_by_label("Password", exact=True)
    password.fill(PASSWORD)
    show = page.get_by_role("button", name="Show password")
    for kind, pressed in (("text", "true"), ("password", "false")):
        show.click()
        expect(password).to_have_attribute("type", kind)
        expect(show).to_have_attribute("aria-pressed", pressed)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Welcome, Welcomed!")).to_be_visible()
    assert_accessible(page, widths=(320, 1280))
    for address in ("/bots", "/account/"):
        page.goto(f"{shared_site.url}{address}")
        assert_accessible(page, widths=(320, 1280))


def test_everything_works_without_a_script(shared_site: LiveSite, visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    page.goto(f"{shared_site.url}/account/login/?next=/account/")
    page.get_by_role("button", name="Play as a guest").click()
    page.get_by_role("link", name="Choose a password and keep your games").click()
    page.get_by_label("Name", exact=True).fill("Plainly")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Save my account").click()
    page.goto(f"{shared_site.url}/account/")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Plainly")


def test_an_error_is_read_with_its_field(shared_site: LiveSite, visitor: Visitor) -> None:
    page = visitor()
    page.goto(f"{shared_site.url}/account/signup/")
    page.get_by_label("Name", exact=True).fill("admin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_label("Name", exact=True)).to_have_accessible_description(
        re.compile("This name is reserved")
    )


def test_the_account_pages_have_no_barriers(shared_site: LiveSite, visitor: Visitor) -> None:
    page = visitor()
    for address in ("login", "signup", "password/reset"):
        page.goto(f"{shared_site.url}/account/{address}/")
        assert_accessible(page, widths=(360, 1280))
