"""Whom everybody has left reads so and plays on: the line hides nothing, the sheet is whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.boxes import (
    LARGER,
    PHONE,
    SIZES,
    SMALLEST,
    Faults,
    Screens,
    Size,
    faults,
    faults_with_larger_text,
    sizes_in,
)

pytestmark = pytest.mark.e2e

LINE = (".left-alone > span", ".left-alone > button")
# On low screens the button stands beside "Continue", and the seat alone says who has left.
SHORT = {"perudo_reveal_before_palifico": [size for size in SIZES if size[1] < 672]}
SHEET = ("#left-alone > h2", "#left-alone > button", "#left-alone > p")
PECO = (".discard .animal-card", ".stake .stake-card", ".held")
NEEDED: dict[str, tuple[str, ...]] = {
    "perudo_turn_with_calza": (".bid", ".my-dice .die", ".face", "#quantity")
    + tuple(f"#own button[value={call}]" for call in ("bid", "dudo", "calza")),
    "perudo_reveal_before_palifico": (".count > b", ".told .right", "#own [value=confirm]"),
    "peco_peco_turn": (*PECO, ".seat-hand b", "#own .play", ".declare", ".accuse"),
    "peco_peco_window": (*PECO, ".accuse", ".waive"),
    "peco_peco_won": (".verdict .right", "#own [value=confirm]"),
}


@pytest.fixture(scope="module")
def left_alone(open_screens: Callable[..., Screens]) -> Screens:
    return open_screens("tests.e2e.arranged_left_alone")


def needed(state: str, size: Size) -> Sequence[str]:
    return (*LINE[size in SHORT.get(state, ()) :], *NEEDED[state])


def open_sheet(page: Page) -> None:
    page.locator(".left-alone > button").evaluate("(button) => button.click()")
    expect(page.locator("#left-alone")).to_be_visible()


@pytest.mark.parametrize("state", NEEDED)
def test_the_line_is_on_the_screen_with_all_else_that_is_needed(
    left_alone: Screens, state: str
) -> None:
    """In French, the longest; on the smallest screens in each language."""
    found: Faults = {}
    for language in left_alone.pages:
        page = left_alone.go(language, state, 6)
        for each in sizes_in(language):
            for size, told in faults(page, needed(state, each), [each]):
                found[f"{language}, {size}"] = told
        height = page.locator(".left-alone > button").evaluate("(e) => e.offsetHeight")
        assert height >= 44
    assert found == {}


@pytest.mark.parametrize("state", ["perudo_turn_with_calza", "peco_peco_turn"])
def test_the_whole_sheet_is_on_the_screen(left_alone: Screens, state: str) -> None:
    found: Faults = {}
    for language in left_alone.pages:
        page = left_alone.go(language, state, 6)
        open_sheet(page)
        seen = faults(page, SHEET, SIZES, moving=True)
        found.update((f"{language}, {size}", told) for size, told in seen)
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_nothing_is_lost_with_larger_text(left_alone: Screens, state: str) -> None:
    page = left_alone.go("fr", state, 6)
    assert faults_with_larger_text(page, (LINE[1], *NEEDED[state]), texts=LARGER) == {}
    open_sheet(page)
    sizes = (SMALLEST[0], PHONE, (1280, 720))
    assert faults_with_larger_text(page, SHEET, sizes=sizes, moving=True) == {}
