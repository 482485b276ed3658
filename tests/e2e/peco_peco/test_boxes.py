"""What a player of Peco Peco needs at a moment is on the screen, whatever the screen.

At 100 % text without scrolling: up to six seats from 320 × 568 on, seven and eight from 360 × 640
on; in the longest language. With larger text nothing is cut off or lost (WCAG 1.4.4).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import (
    Faults,
    Screens,
    Size,
    arranged_once,
    faults,
    faults_of_a_notice,
    larger_text,
    look,
    resize,
)
from tests.e2e.conftest import QUICK
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

SIZES: Sequence[Size] = (
    (360, 640),
    (640, 360),
    (390, 844),
    (768, 1024),
    (1366, 625),
    (1280, 720),
)
SMALL: Sequence[Size] = ((360, 640), (640, 360))
SMALLEST: Size = (320, 568)

MIDDLE = (".discard .animal-card", ".stake .stake-card", ".speaks > p")
SEATS = (".seat", ".seat-points", ".seat:not(.is-out) .seat-hand b")
TURN = (*MIDDLE, *SEATS, ".speaks .clock", ".cue", ".held", "#own .play", ".declare")
SHOWN = (".discard .animal-card", ".shown p", ".shown-hand .animal-card", ".speaks > p", *SEATS)
OVER = (".prize", ".verdict .right", *SEATS)
NEEDED: dict[str, Sequence[str]] = {
    "turn": (*TURN, ".declare small", ".accuse"),
    "stuck": (*TURN, ".accuse"),
    "many_cards": (*TURN, ".seat-change", ".seat-flag"),
    "call": (*TURN, ".call-out"),
    "window": (*MIDDLE, *SEATS, ".speaks .clock", ".cue", ".held", ".accuse", ".waive"),
    "waived": (*MIDDLE, *SEATS, ".speaks .clock", ".cue", ".held"),
    "waiting": (*MIDDLE, *SEATS, ".cue", ".held", ".seat-change"),
    "honest": (*SHOWN, ".cue", ".held", "#own .play", ".declare"),
    "out": (*SHOWN, "#own .cue", "#own p"),
    "won": (*OVER, ".verdict p", "#own .cue", "#own [value=confirm]"),
    "seen": (*OVER, "#own p"),
    "defeat": (*OVER, "#own [value=confirm]"),
    "over": (".winner", ".seat", ".seat > .avatar", ".seat-points", ".after > *"),
    "choosing": (*SEATS, ".speaks > p", ".cue", "#own p", "#own [name=partner]"),
}


@pytest.fixture(scope="module")
def screens(
    browser: Browser, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Screens]:
    folder = tmp_path_factory.mktemp("peco_boxes")
    shared = folder.parent.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    module = "tests.games.peco_peco.arranged"
    data, tables = arranged_once(prepared_folder, shared / "peco_arranged", module)
    site = LiveSite.of(data, folder / "site", **QUICK)
    site.start()
    screens = Screens(browser, site, tables)
    yield screens
    screens.close()
    site.kill()


def choose_a_thief(page: Page) -> None:
    page.locator("[data-steals]").first.evaluate("(input) => input.click()")
    page.locator(".victim").first.wait_for()


@pytest.mark.parametrize("state", NEEDED)
def test_all_that_is_needed_is_on_the_screen(screens: Screens, state: str) -> None:
    """The fullest table on small screens in each language, all else in the longest."""
    found: Faults = {}

    def measure(page: Page, seats: int, language: str, sizes: Sequence[Size]) -> None:
        at = f"{seats} seats, {language}"
        found.update((f"{at}, {size}", told) for size, told in faults(page, NEEDED[state], sizes))

    *fewer, fullest = sorted(screens.tables[state])
    for language, page in screens.visits(state):
        measure(page, fullest, language, SMALL)
    longest = screens.longest(state)
    measure(screens.pages[longest], fullest, longest, SIZES[len(SMALL) :])
    for seats in fewer:
        measure(screens.go(longest, state, seats), seats, longest, (SMALLEST, *SIZES))
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_a_notice_lies_over_all_else(screens: Screens, state: str) -> None:
    page = screens.go("it", state, max(screens.tables[state]))
    assert faults_of_a_notice(page, (SMALLEST, *SIZES, (360, 740), (412, 915))) == {}


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_the_targets_of_a_card_that_steals_are_on_the_screen(screens: Screens, seats: int) -> None:
    page = screens.go(screens.longest("turn"), "turn", seats)
    choose_a_thief(page)
    needed = (*MIDDLE, *SEATS, ".held", ".victim", ".declare", ".accuse")
    sizes = SIZES if seats == 8 else (SMALLEST, *SIZES)
    assert dict(faults(page, needed, sizes)) == {}


@pytest.mark.parametrize("state", ["turn", "window", "honest", "won", "over"])
def test_nothing_is_lost_with_text_twice_as_large(screens: Screens, state: str) -> None:
    found: Faults = {}
    page = screens.go(screens.longest(state), state, 8)
    for alone in (False, True):
        for size in ((360, 740), (1280, 720)):
            resize(page, size)
            with larger_text(page, pixels=32, alone=alone):
                found[f"{size}, {alone}"] = look(page, NEEDED[state], scrolls=True)
                if state == "turn":
                    choose_a_thief(page)
                    found[f"{size}, {alone}, targets"] = look(page, [".victim"], scrolls=True)
                    page.reload()
    assert not any(found.values()), found


def test_no_hint_says_the_opposite_of_the_stake(screens: Screens) -> None:
    """What beats what is told as usual only where the stake does not reverse it."""
    for state, is_told in (("turn", False), ("call", True)):
        page = screens.go("en", state, 8)
        applies = page.locator("#hint-beats").evaluate(
            "({ dataset }) => !!document.querySelector(dataset.when)"
        )
        assert applies == is_told, state


def test_each_target_of_a_steal_says_what_its_button_does(screens: Screens) -> None:
    """On every screen, with the longest names of seven others."""
    language = screens.longest("turn")
    page = screens.go(language, "turn", 8)
    page.locator("#own [data-steals]").first.evaluate("(card) => card.click()")
    verbs = page.locator("#own .victim .verb")
    assert verbs.count() == page.locator("#own .victim").count() == 7
    found = {str(size): told for size, told in faults(page, (".victim", ".verb"), SIZES)}
    assert found == {}
    assert all(words.strip() for words in verbs.all_inner_texts())


def test_play_is_not_to_be_pressed_when_no_card_fits(screens: Screens) -> None:
    page = screens.go("en", "stuck", 6)
    expect(page.locator("#own .held :enabled")).to_have_count(0)
    expect(page.locator("#own .play")).to_be_disabled()
    expect(page.locator("#own .declare")).to_have_attribute("data-focus-first", "")
    page = screens.go("en", "turn", 6)
    expect(page.locator("#own .play")).to_be_enabled()
