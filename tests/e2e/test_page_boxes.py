"""The pages of standing tables and those that letters lead to, on every screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.boxes import SMALLEST, Faults, Screens, faults, faults_with_larger_text, sizes_in

pytestmark = pytest.mark.e2e

# What a reader has to see at each page.
BUTTON = "main button.primary"
LINK = "main .button.primary"
NEEDED: dict[str, tuple[str, ...]] = {
    "empty": ("h1", "#now-title", "#guest-name", BUTTON),
    "with_people": ("h1", "#now-title", "#guest-name", BUTTON),
    "full": ("h1", "#now-title", LINK),
    "playing": ("h1", "#now-title", "#guest-name", BUTTON),
    "of_the_owner": ("h1", "#now-title", BUTTON),
    "of_a_player": ("h1", "#now-title", LINK),
    "renewed": ("h1", LINK),
    "renewed_by_me": ("h1", LINK),
    "unknown": ("h1", LINK),
    "ask_for_code": ("h1", "main [name=login]", BUTTON),
    "enter_code": ("h1", "main [name=code]", BUTTON),
    "confirm": ("h1", "main strong", BUTTON),
    "not_confirmed": ("h1", LINK),
    "still_yours": ("h1", "main strong", BUTTON),
}


@pytest.fixture(scope="module")
def pages(open_screens: Callable[..., Screens]) -> Screens:
    # Nobody is written to: no letter is due.
    return open_screens("tests.e2e.arranged_pages", EMAIL_URL="smtp://127.0.0.1:9?timeout=1")


@pytest.mark.parametrize("state", NEEDED)
def test_what_a_reader_does_is_on_the_screen(pages: Screens, state: str) -> None:
    """In English and French, the longest; on the smallest screens in each language."""
    found: Faults = {}
    for language in pages.pages:
        page = pages.go(language, state, 0)
        for size, told in faults(page, NEEDED[state], sizes_in(language)):
            found[f"{language}, {size}"] = told
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_nothing_is_lost_with_text_twice_as_large(pages: Screens, state: str) -> None:
    page = pages.go("fr", state, 0)
    sizes = (*SMALLEST, (1280, 720))
    assert faults_with_larger_text(page, NEEDED[state], sizes=sizes) == {}
