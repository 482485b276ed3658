"""Pages of standing tables, questions of the day and what letters lead to, on every screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.boxes import (
    SMALLEST,
    TWICE,
    Faults,
    Screens,
    faults,
    faults_with_larger_text,
    larger_text,
    resize,
    sizes_in,
)
from tests.e2e.player import wider_than_screen
from tests.e2e.test_replay_boxes import UNSEEN

pytestmark = pytest.mark.e2e

# What a reader has to see at each page.
BUTTON = "main button.primary"
LINK = "main .button.primary"
ON_STAGE = ("#stage .told", "#stage .my-dice")
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
    "days_so_far": ("h1", ".days li:first-child a"),
    "friends": ("h1", "main button[value=accept]"),
    "no_friends": ("h1", "main button[value=renew]"),
    "friend_link": ("h1", BUTTON),
    "home_of_a_person": (*ON_STAGE, "#stage .doubts", BUTTON),
    "home_known": (".running li:first-child .primary", ".running li:first-child .against"),
    "home_invited": (".next-step p", BUTTON, ".running li:first-child .button"),
    "home_meeting": (".next-step p", BUTTON, ".running li:first-child .button"),
    "home_asked": (*ON_STAGE, "#stage .doubts", BUTTON),
    "home_quiet": (".running li:first-child .primary",),
    "home_to_play": (*ON_STAGE, "#stage .others-said", BUTTON),
    "fair": ("h1", "#check-draws"),
    "dice_of_mine": ("h1", "#own-title"),
    "dice_of_others": ("h1", "#own-title"),
}

# At these the table goes on below the controls, which stay where they are.
AT_A_TABLE: dict[str, tuple[str, ...]] = {
    "day_asked": ("#question-title", "#own button[name=do]"),
    "day_answered": ("#question-title", ".reply p"),
    "sunday_asked": ("#question-title", "#own button[value=accuse]"),
    "sunday_answered": ("#question-title", ".reply p"),
}


NEWS_HAS_BEEN_SHOWN = """() => {
  localStorage.setItem("inbox-shown", JSON.stringify([document.body.dataset.session, 1e9]));
  for (const news of document.querySelectorAll(".news")) news.hidden = true;
}"""


@pytest.fixture(scope="module")
def pages(open_screens: Callable[..., Screens]) -> Screens:
    # Nobody is written to: no letter is due.
    return open_screens("tests.e2e.arranged_pages", EMAIL_URL="smtp://127.0.0.1:9?timeout=1")


def go(pages: Screens, language: str, state: str) -> Page:
    """The page without the latest notice, which lies over its head for some seconds."""
    page = pages.go(language, state, 0)
    page.evaluate(NEWS_HAS_BEEN_SHOWN)
    return page


@pytest.mark.parametrize("state", NEEDED)
def test_what_a_reader_does_is_on_the_screen(pages: Screens, state: str) -> None:
    """In French, the longest; on the smallest screens in each language."""
    found: Faults = {}
    for language in pages.pages:
        page = go(pages, language, state)
        for size, told in faults(page, NEEDED[state], sizes_in(language)):
            found[f"{language}, {size}"] = told
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_nothing_is_lost_with_text_twice_as_large(pages: Screens, state: str) -> None:
    page = go(pages, "fr", state)
    sizes = (*SMALLEST, (1280, 720))
    assert faults_with_larger_text(page, NEEDED[state], sizes=sizes) == {}


def test_the_stage_follows_within_a_screen_however_much_waits(pages: Screens) -> None:
    """Sections beyond the first lines are folded, and open with a press."""
    for language in ("en", "fr"):
        page = go(pages, language, "home_known")
        resize(page, (390, 844))
        on_stage = page.locator("#stage .told").bounding_box()
        assert on_stage is not None and on_stage["y"] + on_stage["height"] < 844
        invitations = page.locator("[aria-labelledby=invitations-title]")
        assert not invitations.locator("li").first.is_visible()
        invitations.locator("summary").press("Enter")
        assert invitations.locator("li button").first.is_visible()


@pytest.mark.parametrize("state", AT_A_TABLE)
def test_a_question_of_the_day_fits_every_screen(pages: Screens, state: str) -> None:
    found: Faults = {}
    for language in pages.pages:
        page = pages.go(language, state, 0)
        for size in sizes_in(language):
            resize(page, size)
            unseen = page.evaluate(UNSEEN, list(AT_A_TABLE[state])) + wider_than_screen(page)
            if unseen:
                found[f"{language}, {size}"] = unseen
    assert found == {}


@pytest.mark.parametrize("state", AT_A_TABLE)
def test_a_question_of_the_day_is_whole_with_text_twice_as_large(
    pages: Screens, state: str
) -> None:
    page = pages.go("fr", state, 0)
    found: Faults = {}
    for size in (*SMALLEST, (1280, 720)):
        resize(page, size)
        for pixels, alone in TWICE:
            with larger_text(page, pixels=pixels, alone=alone):
                if wide := wider_than_screen(page):
                    found[f"{size} {alone}"] = wide
    assert found == {}
